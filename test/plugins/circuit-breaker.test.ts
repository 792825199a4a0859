import { describe, expect, test } from 'vitest'

import { type CircuitBreakerOptions, circuitBreaker } from '../../plugins/circuit-breaker/index.ts'
import type { Account } from '../../src/contract/account.ts'
import type { Candidate } from '../../src/contract/candidate.ts'
import type { Routed } from '../../src/contract/exchange.ts'
import type { Outcome, Reply } from '../../src/contract/outcome.ts'
import { createLog } from '../../src/lib/log.ts'
import { Declined } from '../../src/contract/attempt.ts'
import { collectLines } from '../../src/testing/lines.ts'

const reply: Reply = { status: 200, headers: {}, body: '{}' }
const down: Outcome = { status: 'failed', fault: 'account', httpStatus: 500 }
const up: Outcome = { status: 'completed', fault: 'none' }

const candidateOf = (account: Account, family: string) =>
  ({ account, dialect: { id: family }, upstreamModel: 'm' }) as unknown as Candidate

const newAccount = (id: string) => ({ id }) as Account

function exchangeOf(candidate: Candidate, id: string, call: object = {}): Routed {
  const refersTo: unknown[] = []
  return {
    id,
    candidate,
    attempt: { number: 1, isSent: true },
    caller: { keyId: 'key' },
    call: { model: 'm', refersTo, ...call },
    progress: {},
  } as unknown as Routed
}

/** A breaker on a clock that stands still until it is moved. */
function startBreaker(options: Partial<CircuitBreakerOptions> = {}) {
  const clock = { now: 1_800_000_000_000 }
  const { sink, lines } = collectLines()
  const breaker = circuitBreaker({
    log: createLog(sink),
    now: () => clock.now,
    random: () => 0.5,
    ...options,
  })
  const end = (candidate: Candidate, outcome: Outcome, exchange = exchangeOf(candidate, 'req_0')) =>
    breaker.onOutcome?.({ exchange, candidate, attempt: exchange.attempt, outcome })
  const fail = (candidate: Candidate) => {
    for (let attempt = 0; attempt < 5; attempt++) void end(candidate, down)
  }
  const judge = (candidate: Candidate, call?: object) =>
    breaker.onCandidates?.({
      exchange: exchangeOf(candidate, 'req_0', call),
      candidates: [candidate],
    })
  const attempt = (exchange: Routed, next = () => Promise.resolve(reply)) =>
    breaker.onAttempt?.({ exchange, outbound: {} as never, next })
  return { breaker, clock, lines, end, fail, judge, attempt }
}

describe('the circuits of an account', () => {
  test('are one for each family, and readable', () => {
    const { breaker, clock, fail } = startBreaker()
    const account = newAccount('a')

    fail(candidateOf(account, 'chat'))

    expect(breaker.state(account, 'chat')).toBe('open')
    expect(breaker.state(account, 'messages')).toBe('closed')
    expect(breaker.state(newAccount('a'), 'chat')).toBe('closed')
    clock.now += 10_000
    expect(breaker.state(account, 'chat')).toBe('half-open')
  })

  test('are shared by its models', () => {
    const { fail, judge } = startBreaker()
    const account = newAccount('a')
    fail(candidateOf(account, 'chat'))

    expect(judge({ ...candidateOf(account, 'chat'), upstreamModel: 'other' })).toMatchObject([
      { excluded: { by: 'circuit-breaker', reason: 'its circuit is open' } },
    ])
  })

  test('tell of each change in one line', async () => {
    const { clock, lines, end, fail, attempt } = startBreaker()
    const chat = candidateOf(newAccount('a'), 'chat')
    fail(chat)
    fail(chat)
    clock.now += 10_000
    const exchange = exchangeOf(chat, 'req_probe')
    await attempt(exchange)
    void end(chat, up, exchange)

    const fields = { account: 'a', family: 'chat' }
    expect(lines).toMatchObject([
      { ...fields, level: 'warn', failures_in_row: 5, open_ms: 10_000 },
      { ...fields, level: 'info', msg: expect.stringContaining('half-open') as string },
      { ...fields, level: 'info', msg: expect.stringContaining('closed') as string },
    ])
  })
})

describe('a call that looks for what an account has', () => {
  const lookUp = { model: '', refersTo: [{ kind: 'response', id: 'resp_1', use: 'own' }] }

  test('never speaks against it', () => {
    const { breaker, end } = startBreaker()
    const chat = candidateOf(newAccount('a'), 'chat')

    for (let poll = 0; poll < 50; poll++) void end(chat, down, exchangeOf(chat, 'req_1', lookUp))

    expect(breaker.state(chat.account, 'chat')).toBe('closed')
  })

  test('is let through, and does not find out whether the account works', async () => {
    const { breaker, clock, end, fail, judge, attempt } = startBreaker()
    const chat = candidateOf(newAccount('a'), 'chat')
    fail(chat)
    expect(judge(chat, lookUp)).toBeUndefined()
    clock.now += 10_000
    const exchange = exchangeOf(chat, 'req_1', lookUp)

    expect(await attempt(exchange)).toBe(reply)
    void end(chat, up, exchange)

    expect(breaker.state(chat.account, 'chat')).toBe('half-open')
  })
})

describe('of several calls that would try an account', () => {
  test('the first does, and the next is declined', async () => {
    const { clock, fail, judge, attempt } = startBreaker()
    const chat = candidateOf(newAccount('a'), 'chat')
    fail(chat)
    clock.now += 10_000
    expect(judge(chat)).toEqual([undefined])

    const first = attempt(exchangeOf(chat, 'req_1'), () => new Promise(() => {}))

    expect(first).toBeInstanceOf(Promise)
    expect(() => attempt(exchangeOf(chat, 'req_2'))).toThrow(Declined)
    expect(judge(chat)).toMatchObject([{ excluded: { by: 'circuit-breaker' } }])
  })

  test('one that was declined further in leaves it to the next', async () => {
    const { clock, fail, attempt } = startBreaker()
    const chat = candidateOf(newAccount('a'), 'chat')
    fail(chat)
    clock.now += 10_000
    const declined = () => Promise.reject(new Declined('slots', 'no slot is free'))

    await expect(attempt(exchangeOf(chat, 'req_1'), declined)).rejects.toThrow('no slot')

    expect(await attempt(exchangeOf(chat, 'req_2'))).toBe(reply)
  })

  test('one whose account fell out after it was chosen is declined', () => {
    const { fail, attempt } = startBreaker()
    const chat = candidateOf(newAccount('a'), 'chat')
    fail(chat)

    expect(() => attempt(exchangeOf(chat, 'req_1'))).toThrow('its circuit is open')
  })
})

test('while all accounts work nothing is judged and nothing is wrapped', () => {
  const { end, judge, attempt } = startBreaker()
  const chat = candidateOf(newAccount('a'), 'chat')
  const answered = Promise.resolve(reply)
  void end(chat, up)

  expect(judge(chat)).toBeUndefined()
  expect(attempt(exchangeOf(chat, 'req_1'), () => answered)).toBe(answered)
})

test('an account that works again is not judged any more', async () => {
  const { clock, end, fail, judge, attempt } = startBreaker()
  const chat = candidateOf(newAccount('a'), 'chat')
  fail(chat)
  clock.now += 10_000
  const exchange = exchangeOf(chat, 'req_1')
  await attempt(exchange)
  expect(judge(chat)).toBeDefined()

  void end(chat, up, exchange)

  expect(judge(chat)).toBeUndefined()
})

test.each([
  { failures: 0 },
  { failures: 1.5 },
  { attempts: -1 },
  { share: 0 },
  { share: 1.1 },
  { windowMs: 0 },
  { openMs: Number.NaN },
  { openMs: 10_000, longestOpenMs: 5_000 },
])('a breaker with %j is refused when it is made', (options) => {
  const wrong = Object.keys(options).at(-1) ?? ''
  expect(() => startBreaker(options)).toThrow(TypeError)
  expect(() => startBreaker(options)).toThrow(wrong)
})
