import { afterEach, describe, expect, test, vi } from 'vitest'

import { PartState } from '../../plugins/account-health/account-state.ts'
import { CredentialChecks } from '../../plugins/account-health/credential.ts'
import { Refusals } from '../../plugins/account-health/refusals.ts'
import type { Candidate } from '../../src/contract/candidate.ts'
import type { AccountCheck } from '../../src/contract/refusal.ts'
import { RecentMap } from '../../src/lib/recent-map.ts'

const status = 403
const minute = 60_000

describe('the standing of an account', () => {
  test('is not lost by refusals of two keys that are hours apart', () => {
    const standing = new Refusals()
    expect(standing.add({ keyId: 'a', status }, 0)).toBeUndefined()
    expect(standing.add({ keyId: 'b', status }, 60 * minute)).toBeUndefined()
    expect(standing.add({ keyId: 'a', status }, 61 * minute)).toMatchObject({ status })
  })

  test('is not regained by calls that began before it was lost', () => {
    const standing = new Refusals()
    standing.add({ keyId: 'a', status }, 0)
    standing.add({ keyId: 'b', status }, 0)
    expect(standing.succeed(1_000)).toBe(false)
    expect(standing.at(1_001, 'c')).toMatchObject({ status })
    expect(standing.at(minute, 'c')).toBeUndefined()
    expect(standing.succeed(minute)).toBe(true)
  })

  test('is lost for longer and longer, up to a quarter of an hour', () => {
    const standing = new Refusals()
    const waits = Array.from({ length: 7 }, () => standing.confirm(status, 0).until / 1_000)
    expect(waits).toEqual([30, 60, 120, 240, 480, 900, 900])
    standing.restore()
    expect(standing.confirm(status, 0).until).toBe(30_000)
  })

  test('of a key that another one joins is lost for all', () => {
    const standing = new Refusals()
    for (let time = 0; time < 3; time++) standing.add({ keyId: 'a', status }, time)
    expect(standing.at(10, 'a')).toMatchObject({ keyId: 'a' })
    expect(standing.at(10, 'b')).toBeUndefined()
    expect(standing.add({ keyId: 'b', status }, 10)).toMatchObject({ keyId: undefined })
    expect(standing.at(11, 'c')).toMatchObject({ status })
  })
})

const candidate = { account: { id: 'a', provider: 'p' }, upstreamModel: 'm' } as Candidate

/** The checks of an account, with the results of its calls. The last one repeats itself. */
function startChecks(results: AccountCheck[], now: () => number) {
  const lines: string[] = []
  const check = vi.fn(() => Promise.resolve(results.length > 1 ? results.shift()! : results[0]!))
  const ending = new AbortController()
  const log = { info: (line: string) => void lines.push(line) }
  const refusals = new Refusals()
  const checks = new CredentialChecks({ log, now, check, signal: ending.signal }, refusals)
  return { checks, check, refusals, lines, ending }
}

test('checks of an account run one at a time, and rarely', async () => {
  let now = 0
  const { checks, check } = startChecks(['accepted'], () => now)
  const times: number[] = []
  for (; now < 10 * minute; now += 1_000) {
    const before = check.mock.calls.length
    const results = await Promise.all([checks.result(candidate), checks.result(candidate)])
    expect(results).toEqual(['accepted', 'accepted'])
    if (check.mock.calls.length > before) times.push(now / 1_000)
  }
  expect(times).toEqual([0, 5, 15, 35, 75, 155, 275, 395, 515])
})

test('a check that fails is inconclusive', async () => {
  const { checks, check } = startChecks(['accepted'], () => 0)
  check.mockRejectedValueOnce(new Error('no'))
  expect(await checks.result(candidate)).toBe('inconclusive')
})

test('a model counts as answering until it has refused two keys', () => {
  const model = new PartState()
  expect(model.answersAfterRefusal('a')).toBe(false)
  model.addAnswer()
  expect([model.answersAfterRefusal('a'), model.answersAfterRefusal('a')]).toEqual([true, true])
  model.addAnswer()
  expect(model.answersAfterRefusal('b')).toBe(true)
  expect(model.answersAfterRefusal('a')).toBe(false)
  expect(model.answersAfterRefusal('b')).toBe(false)
})

test('names that callers choose take a bounded amount of memory', () => {
  const map = new RecentMap<number>(100)
  for (let index = 0; index < 10_000; index++) {
    map.set(`model-${index}`, index)
    map.get('model-0')
  }
  const known = Array.from({ length: 10_000 }, (_, index) => map.get(`model-${index}`))
  expect(known.filter((value) => value !== undefined).length).toBeLessThanOrEqual(101)
  expect(map.get('model-0') ?? map.get('model-9999')).toBeDefined()
})

describe('an account that is out', () => {
  afterEach(() => void vi.useRealTimers())

  function takeOut(results: AccountCheck[]) {
    vi.useFakeTimers()
    const started = startChecks(results, Date.now)
    started.checks.confirm(candidate, 401)
    return started
  }

  test('is checked without any call', async () => {
    const { refusals, check, lines } = takeOut(['refused', 'accepted'])
    await vi.advanceTimersByTimeAsync(30_000)
    expect(check).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(check).toHaveBeenCalledTimes(2)
    expect(refusals.at(Date.now(), 'k')).toBeUndefined()
    expect(lines).toHaveLength(1)
  })

  test('is checked no more once it has left the configuration', async () => {
    const { check, lines } = takeOut(['gone'])
    await vi.advanceTimersByTimeAsync(3_600_000)
    expect(check).toHaveBeenCalledTimes(1)
    expect(lines).toEqual([])
  })

  test('is checked no more once the gateway has ended', async () => {
    const { check, ending } = takeOut(['refused'])
    ending.abort()
    await vi.advanceTimersByTimeAsync(3_600_000)
    expect(check).not.toHaveBeenCalled()
  })
})
