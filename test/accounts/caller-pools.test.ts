import { expect, test } from 'vitest'

import { poolOfCaller } from '../../src/accounts/caller-pools.ts'
import { compilePatterns } from '../../src/accounts/patterns.ts'
import { createSnapshot } from '../../src/accounts/snapshot.ts'
import type { Account } from '../../src/contract/account.ts'
import type { DialectInfo } from '../../src/contract/dialect-info.ts'
import type { Caller } from '../../src/contract/request.ts'

const responses = { id: 'responses', upstream: {} } as DialectInfo
const count = 200

/** Accounts with a name and a pattern each, which tell how often someone looks at these. */
function countingAccounts() {
  const looks = { times: 0 }
  const accounts = Array.from({ length: count }, (_, at) => ({
    id: `a-${at}`,
    enabled: true,
    speaks: ['responses'],
    models: {
      names: [`own-${at}`],
      upstreamName: (model: string) => model,
      get patterns() {
        looks.times++
        return [`own-${at}`, `team-${at}/*`]
      },
    },
  }))
  return { looks, accounts: accounts as unknown as Account[] }
}

function callerOf(models: readonly string[]): Caller {
  return { keyId: 'one', models, mayUse: compilePatterns(models) }
}

test('calls of a key with a scope look at the accounts once, as do those of other keys with the same scope', () => {
  const { looks, accounts } = countingAccounts()
  const snapshot = createSnapshot(accounts, {}, [responses])
  const whole = snapshot.pool('', responses, 'store')
  looks.times = 0
  const poolOf = (models: readonly string[]) => poolOfCaller(whole, snapshot, callerOf(models))

  const pool = poolOf(['team-7/gpt-*', 'own-9', 'other'])
  expect(pool.map(({ account }) => account.id)).toEqual(['a-7', 'a-9'])
  expect(poolOf(['team-7/gpt-*', 'own-9', 'other'])).toBe(pool)
  expect(looks.times).toBe(count)
  // All of them: what is known of the whole pool holds.
  expect(poolOf(['*'])).toBe(whole)
  expect(poolOfCaller(whole, snapshot, { keyId: 'two', mayUse: () => true })).toBe(whole)
})

test('accounts whose models a key may use by an alias alone serve it, and aliases are followed once', () => {
  const { accounts } = countingAccounts()
  const aliases = Object.fromEntries([
    ...accounts.map((_, at) => [`alias-${at}`, 'missing']),
    ['fast', 'team-7/gpt'],
    ['last', 'alias-fast'],
    ['alias-fast', 'own-9'],
    ['hidden', 'own-11'],
  ])
  const snapshot = createSnapshot(accounts, aliases, [responses])
  const followed: string[] = []
  const platformName = (name: string) => {
    followed.push(name)
    return snapshot.platformName(name)
  }
  const whole = snapshot.pool('', responses, 'store')
  const scope = callerOf(['alias-*', 'fast', 'last'])
  const pool = poolOfCaller(whole, { ...snapshot, platformName }, scope)
  expect(pool.map(({ account }) => account.id)).toEqual(['a-7', 'a-9'])
  expect(followed).toHaveLength(count + 3)
})

test('the scopes of many keys keep few candidates in memory', () => {
  const { looks, accounts } = countingAccounts()
  const snapshot = createSnapshot(accounts, {}, [responses])
  const whole = snapshot.pool('', responses, 'store')
  const scopes = Array.from({ length: 4_000 }, (_, at) => ['team-1*', 'own-2*', 'x'.repeat(at)])
  for (const scope of scopes) poolOfCaller(whole, snapshot, callerOf(scope))
  looks.times = 0
  poolOfCaller(whole, snapshot, callerOf(scopes.at(-1)!))
  expect(looks.times).toBe(0)
  // Names that clients make up push no whole pool out.
  expect(snapshot.pool('', responses, 'store')).toBe(whole)
  poolOfCaller(whole, snapshot, callerOf(scopes[0]!))
  expect(looks.times).toBe(count)
})
