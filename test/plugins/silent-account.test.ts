import { expect, test } from 'vitest'

import { accountHealth } from '../../plugins/account-health/index.ts'
import type { Candidate } from '../../src/contract/candidate.ts'
import type { Understood } from '../../src/contract/exchange.ts'
import type { OutcomeInput } from '../../src/contract/plugin.ts'
import type { Log } from '../../src/lib/log.ts'
import { isUnanswered } from '../../src/kit/attempts.ts'

const candidate = {
  account: { id: 'hung', provider: 'openai' },
  dialect: { id: 'chat' },
  upstreamModel: 'm',
  native: true,
} as unknown as Candidate

const left = { status: 'cancelled', fault: 'client' } as const
const answered = { status: 'completed', fault: 'none' } as const

/** The plugin with a clock, and calls of keys to one account. */
function newHealth() {
  const clock = { now: 1_000_000 }
  const lines: string[] = []
  const note = (line: string) => void lines.push(line)
  const log = { info: note, warn: note, error: note } as unknown as Log
  const { onOutcome, onCandidates } = accountHealth({ log, now: () => clock.now })
  const exchangeOf = (keyId: string) =>
    ({
      id: 'x',
      caller: { keyId },
      call: { model: 'm', refersTo: [] },
      request: { headers: {} },
    }) as unknown as Understood
  return {
    clock,
    lines,
    call(keyId: string, outcome: object, waitedMs: number, firstByteAt?: number) {
      const attempt = { number: 1, isSent: true, startedAt: 0, endedAt: waitedMs, firstByteAt }
      const input = { exchange: exchangeOf(keyId), candidate, attempt, outcome }
      void onOutcome!(input as unknown as OutcomeInput)
    },
    rank(keyId: string) {
      const verdicts = onCandidates!({ exchange: exchangeOf(keyId), candidates: [candidate] })
      return (verdicts as readonly ({ rank?: number } | undefined)[] | undefined)?.[0]?.rank
    },
  }
}

test('an account whose clients leave without an answer comes behind the others, until it answers', () => {
  const { call, rank, lines } = newHealth()
  call('a', left, 11_000)
  call('b', left, 30_000)
  expect(rank('a')).toBeUndefined()
  call('c', left, 10_000)
  expect([rank('a'), rank('other')]).toEqual([2, 2])
  call('a', answered, 50, 20)
  expect(rank('a')).toBeUndefined()
  expect(lines).toEqual([
    'an account answers nothing: its clients leave before it does',
    'account answers again',
  ])
})

test('one key that leaves takes an account from itself alone', () => {
  const { call, rank } = newHealth()
  for (let times = 0; times < 50; times++) call('hasty', left, 10_000)
  expect([rank('hasty'), rank('other')]).toEqual([2, undefined])
})

test('clients with two keys that leave slow calls at the same time do not take an account that answers others', () => {
  const { call, rank } = newHealth()
  call('other', answered, 50, 20)
  for (const key of ['a', 'b', 'a', 'b']) call(key, left, 10_000)
  expect(rank('other')).toBeUndefined()
})

test('silence ends two minutes after the last call', () => {
  const { call, rank, clock } = newHealth()
  for (const key of ['a', 'b', 'c']) call(key, left, 10_000)
  clock.now += 119_999
  expect(rank('a')).toBe(2)
  clock.now++
  expect(rank('a')).toBeUndefined()
  call('a', left, 10_000)
  expect(rank('a')).toBeUndefined()
})

test.each([
  ['a client that does not wait', left, { endedAt: 9_999 }],
  ['a client that leaves a running reply', left, { firstByteAt: 5 }],
  ['a request that was not sent', left, { isSent: false }],
  ['a cancelled response', { status: 'cancelled', fault: 'none' } as const, {}],
  ['a failure', { status: 'failed', fault: 'account' } as const, {}],
])('%s is no evidence of silence', (_, outcome, more) => {
  const attempt = { isSent: true, startedAt: 0, endedAt: 10_000, ...more }
  expect(isUnanswered(outcome, attempt as never)).toBe(false)
})
