import { expect, test } from 'vitest'

import { compileModels } from '../../src/accounts/patterns.ts'
import { createSnapshot } from '../../src/accounts/snapshot.ts'
import type { Account } from '../../src/contract/account.ts'
import type { DialectInfo } from '../../src/contract/dialect-info.ts'

const [chat, messages] = ['chat', 'messages'].map((id) => ({
  id,
  upstream: {},
})) as DialectInfo[]

/** Accounts of two dialects. */
function accountsOf(count: number, models: readonly string[]): Account[] {
  const common = { enabled: true, speaks: ['chat', 'messages'], models: compileModels(models) }
  const accounts = Array.from({ length: count }, (_, at) => ({ id: `a-${at}`, ...common }))
  return accounts as unknown as Account[]
}

test('names that clients make up keep few candidates in memory, however many accounts match them', () => {
  const accounts = accountsOf(1_000, ['gpt-*'])
  const snapshot = createSnapshot(accounts, {}, [chat!, messages!])
  const asked = Array.from({ length: 400 }, (_, at) => {
    const name = `gpt-${at}`
    const pools = [chat!, messages!].map((dialect) => snapshot.pool(name, dialect, 'generate'))
    return { name, pools, usual: snapshot.pool('gpt-5', chat!, 'generate') }
  })
  // A model in use stays known.
  expect(new Set(asked.slice(5).map(({ usual }) => usual)).size).toBe(1)
  const kept = asked
    .toReversed()
    .flatMap(({ name, pools }) =>
      [chat!, messages!].filter(
        (dialect, at) => snapshot.pool(name, dialect, 'generate') === pools[at],
      ),
    )
  expect(kept.length * accounts.length).toBeLessThanOrEqual(500_000)
  expect(kept.length).toBeGreaterThan(200)
})

test('the pools of a few models are compiled once, those of empty ones as well', () => {
  const snapshot = createSnapshot(accountsOf(50, ['gpt-*']), {}, [chat!, messages!])
  const poolsOf = () => {
    const names = Array.from({ length: 1_000 }, (_, at) => (at % 2 ? `gpt-${at}` : `other-${at}`))
    return names.map((name) => snapshot.pool(name, chat!, 'generate'))
  }
  const first = poolsOf()
  expect(first.map(({ length }) => length)).toEqual(first.map((_, at) => (at % 2 ? 50 : 0)))
  poolsOf().forEach((pool, at) => expect(pool).toBe(first[at]))
})
