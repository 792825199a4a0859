import { afterEach, describe, expect, test, vi } from 'vitest'

import { Standing } from '../../plugins/account-health/standing.ts'
import { AccountChecks } from '../../plugins/account-health/checks.ts'
import { AnsweredModels } from '../../plugins/account-health/answered-models.ts'
import { AccountState } from '../../plugins/account-health/account-state.ts'
import { createExclusions } from '../../plugins/account-health/exclusions.ts'
import type { Candidate } from '../../src/contract/candidate.ts'
import type { AccountCheck } from '../../src/contract/refusal.ts'
import { RecentMap } from '../../src/lib/recent-map.ts'

const status = 403
const minute = 60_000

describe('the standing of an account', () => {
  test('is not lost by refusals of two keys that are hours apart', () => {
    const standing = new Standing()
    expect(standing.refuse({ keyId: 'a', status }, 0)).toBeUndefined()
    expect(standing.refuse({ keyId: 'b', status }, 60 * minute)).toBeUndefined()
    expect(standing.refuse({ keyId: 'a', status }, 61 * minute)).toMatchObject({ status })
  })

  test('is not regained by calls that began before it was lost', () => {
    const standing = new Standing()
    standing.refuse({ keyId: 'a', status }, 0)
    standing.refuse({ keyId: 'b', status }, 0)
    expect(standing.succeed(1_000)).toBeUndefined()
    expect(standing.exclusionOf('c', 1_001)).toMatchObject({ status })
    expect(standing.exclusionOf('c', minute)).toBeUndefined()
    expect(standing.succeed(minute)).toMatchObject({ status })
  })

  test('is lost for longer and longer, up to a quarter of an hour', () => {
    const standing = new Standing()
    const waits = Array.from({ length: 7 }, () => standing.exclude({ status }, 0).until / 1_000)
    expect(waits).toEqual([30, 60, 120, 240, 480, 900, 900])
    standing.restore()
    expect(standing.exclude({ status }, 0).until).toBe(30_000)
  })

  test('of a key that another one joins is lost for all', () => {
    const standing = new Standing()
    for (let time = 0; time < 3; time++) standing.refuse({ keyId: 'a', status }, time)
    expect(standing.exclusionOf('a', 10)).toMatchObject({ keyId: 'a' })
    expect(standing.exclusionOf('b', 10)).toBeUndefined()
    expect(standing.refuse({ keyId: 'b', status }, 10)).not.toHaveProperty('keyId')
    expect(standing.exclusionOf('c', 11)).toMatchObject({ status })
  })
})

test('checks of an account run one at a time, and rarely', async () => {
  const checks = new AccountChecks()
  const check = vi.fn(() => Promise.resolve<AccountCheck>('accepted'))
  const times: number[] = []
  for (let now = 0; now < 10 * minute; now += 1_000) {
    const before = check.mock.calls.length
    const results = await Promise.all([checks.result(check, now), checks.result(check, now)])
    expect(results).toEqual(['accepted', 'accepted'])
    if (check.mock.calls.length > before) times.push(now / 1_000)
  }
  expect(times).toEqual([0, 5, 15, 35, 75, 155, 275, 395, 515])
})

test('a check that fails is inconclusive', async () => {
  expect(await new AccountChecks().result(() => Promise.reject(new Error('no')), 0)).toBe(
    'inconclusive',
  )
})

test('a model counts as answering until it has refused two keys', () => {
  const models = new AnsweredModels()
  expect(models.refuse('m', 'a')).toBe(false)
  models.answer('m')
  expect([models.refuse('m', 'a'), models.refuse('m', 'a')]).toEqual([true, true])
  models.answer('m')
  expect(models.refuse('m', 'b')).toBe(true)
  expect(models.refuse('m', 'a')).toBe(false)
  expect(models.refuse('m', 'b')).toBe(false)
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

  const candidate = { account: { id: 'a', provider: 'p' }, upstreamModel: 'm' } as Candidate

  function takeOut(results: AccountCheck[]) {
    vi.useFakeTimers()
    const lines: string[] = []
    const log = { debug() {}, info: (line: string) => lines.push(line), warn() {}, error() {} }
    const check = vi.fn(() => Promise.resolve<AccountCheck>(results.shift() ?? 'refused'))
    const exclusions = createExclusions({ log, now: Date.now, check })
    const state = new AccountState()
    exclusions.confirm(state, candidate, 401)
    return { exclusions, state, check, lines }
  }

  test('is checked without any call', async () => {
    const { state, check, lines } = takeOut(['refused', 'accepted'])
    await vi.advanceTimersByTimeAsync(30_000)
    expect(check).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(check).toHaveBeenCalledTimes(2)
    expect(state.whole.exclusionOf('k', Date.now())).toBeUndefined()
    expect(lines).toHaveLength(1)
  })

  test('is checked no more once it has left the configuration', async () => {
    const { check, lines } = takeOut(['gone'])
    await vi.advanceTimersByTimeAsync(3_600_000)
    expect(check).toHaveBeenCalledTimes(1)
    expect(lines).toEqual([])
  })

  test('is checked no more once the gateway has ended', async () => {
    const { check, exclusions } = takeOut([])
    exclusions.close()
    await vi.advanceTimersByTimeAsync(3_600_000)
    expect(check).not.toHaveBeenCalled()
  })
})
