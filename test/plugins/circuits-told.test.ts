import { expect, test } from 'vitest'

import { circuitBreaker } from '../../plugins/circuit-breaker/index.ts'
import type { Account } from '../../src/contract/account.ts'
import type { Outcome } from '../../src/contract/outcome.ts'
import { createLog } from '../../src/lib/log.ts'
import type { OutcomeInput } from '../../src/contract/plugin.ts'
import { collectLines } from '../../src/testing/lines.ts'

const failed: Outcome = { status: 'failed', fault: 'account', httpStatus: 500 }

test('the circuits that are not closed are told, of the accounts that there are', async () => {
  let time = 1_800_000_000_000
  const log = createLog(collectLines().sink)
  const breaker = circuitBreaker({ log, now: () => time, random: () => 0.5 })
  const newAccount = (id: string) => ({ id }) as Account
  const [a, b, removed] = [newAccount('a'), newAccount('b'), newAccount('removed')]
  const fail = async (account: Account, family: string, times = 5) => {
    for (let number = 1; number <= times; number++) {
      const attempt = { number }
      const candidate = { account, dialect: { id: family }, upstreamModel: 'm' }
      const exchange = { id: 'req_1', candidate, attempt, call: { model: 'm', refersTo: [] } }
      const input = { exchange, candidate, attempt, outcome: failed }
      await breaker.onOutcome?.(input as unknown as OutcomeInput)
    }
  }

  await fail(a, 'chat')
  await fail(a, 'messages', 4)
  await fail(removed, 'chat')
  time += 10_000
  await fail(b, 'messages')

  expect(breaker.unhealthy([a, b])).toEqual([
    { account: 'a', family: 'chat', state: 'half-open' },
    { account: 'b', family: 'messages', state: 'open', open_ms: 10_000 },
  ])
  expect(breaker.unhealthy([])).toEqual([])
})
