import { describe, expect, test } from 'vitest'

import { dailySteps } from '../daily-rows.ts'
import { startRedis } from '../../src/testing/redis.ts'
import { temporaryDirectory } from '../stores/temporary.ts'
import { type Soak, costOf, soak } from './soak.ts'

const calls = Number(process.env['SOAK_CALLS'] ?? dailySteps(800))

describe('rows, sums and budgets agree to the token and the nano-dollar, with failovers, aborts and restarts', () => {
  test('on a file', { timeout: 3_600_000 }, async () => {
    await using directory = await temporaryDirectory()
    expectAgreement(await soak(`file:${directory.path}`, calls, 2))
  })

  test('on Redis', { timeout: 3_600_000 }, async () => {
    await using redis = await startRedis()
    expectAgreement(await soak(redis.url, calls, 2))
  })
})

function expectAgreement({ rows, answered, aborted, seen, totals, budgets }: Soak): void {
  const last = rows.filter(({ reply }) => reply)
  expect(answered.length + aborted).toBe(calls)
  expect(aborted).toBeGreaterThan(0)
  // Each call that was answered is there once, with its own usage and its own cost.
  const served = new Map<number, number>()
  for (const { reply, tokens, usage, costNano } of last) {
    if (usage !== 'reported' || reply?.status !== 200) continue
    const number = tokens?.inputTokens ?? 0
    expect(tokens?.outputTokens).toBe(2 * number + 1)
    expect(costNano).toBe(costOf(number))
    served.set(number, (served.get(number) ?? 0) + 1)
  }
  expect(answered.filter((number) => served.get(number) !== 1)).toEqual([])
  const sum = (of: (row: Soak['rows'][number]) => number | undefined) =>
    rows.reduce((total, row) => total + (of(row) ?? 0), 0)
  // A call that came is in the sums, and has a last row if an account was asked.
  expect(last.length).toBe(seen.withAttempt)
  expect(seen.withAttempt).toBeGreaterThanOrEqual(calls - aborted)
  const expected = {
    calls: seen.calls,
    retries: rows.length - last.length,
    inputTokens: sum(({ tokens }) => tokens?.inputTokens),
    outputTokens: sum(({ tokens }) => tokens?.outputTokens),
    clientGone: seen.clientGone,
    costNano: BigInt(sum(({ costNano }) => costNano ?? 0)),
    costOfRows: BigInt(sum(({ costNano }) => costNano ?? 0)),
  }
  expect(expected.retries).toBeGreaterThan(0)
  for (const total of totals) expect(total).toEqual(expected)
  for (const { keyId, ...budget } of budgets) {
    const own = rows.filter((row) => row.keyId === keyId)
    expect(own.length).toBeGreaterThan(0)
    expect(budget).toEqual({
      costNano: own.reduce((total, { costNano }) => total + (costNano ?? 0), 0),
      tokens: own.reduce(
        (total, { tokens }) => total + (tokens?.inputTokens ?? 0) + (tokens?.outputTokens ?? 0),
        0,
      ),
    })
  }
}
