import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { accountHealth } from '../../plugins/account-health/index.ts'
import type { Account } from '../../src/contract/account.ts'
import type { Candidate } from '../../src/contract/candidate.ts'
import type { Routed } from '../../src/contract/exchange.ts'
import type { Outcome, Reply } from '../../src/contract/outcome.ts'
import { createLog } from '../../src/lib/log.ts'
import { GatewayError } from '../../src/contract/errors.ts'
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
    body: { bytes: Buffer.alloc(0), json: {} },
    progress: {},
  } as unknown as Routed
}

beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0.5))
afterEach(() => void vi.restoreAllMocks())

/** A plugin on a clock that stands still until it is moved. */
function startBreaker() {
  const clock = { now: 1_800_000_000_000 }
  const { sink, lines } = collectLines()
  const breaker = accountHealth({ log: createLog(sink), now: () => clock.now })
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
  const state = (account: Account) =>
    breaker
      .exclusions?.([account])
      .map(({ dialect, model, isProbing }) => [dialect, model, isProbing ? 'half-open' : 'open'])
  const attempt = (exchange: Routed, next = () => Promise.resolve(reply)) =>
    breaker.onAttempt?.({ exchange, outbound: {} as never, next })
  return { state, clock, lines, end, fail, judge, attempt }
}

describe('the circuits of an account', () => {
  test('are one for each dialect and model, and readable', () => {
    const { state, clock, fail, judge } = startBreaker()
    const account = newAccount('a')

    fail(candidateOf(account, 'chat'))

    expect(state(account)).toEqual([['chat', 'm', 'open']])
    expect(judge(candidateOf(account, 'chat'))).toMatchObject([
      { excluded: { kind: 'circuit', reason: 'circuit open: 5 of 5 calls got 500' } },
    ])
    expect(judge(candidateOf(account, 'messages'))).toEqual([undefined])
    expect(judge({ ...candidateOf(account, 'chat'), upstreamModel: 'other' })).toEqual([undefined])
    expect(state(newAccount('a'))).toEqual([])
    clock.now += 10_000
    expect(state(account)).toEqual([['chat', 'm', 'half-open']])
  })

  test('are shared by its models if calls do not reach it', () => {
    const { end, judge, state } = startBreaker()
    const account = newAccount('a')
    const chat = candidateOf(account, 'chat')
    const error = new GatewayError('upstream_unreachable', 'No connection.')
    const exchange = {
      ...exchangeOf(chat, 'req_0'),
      attempt: { number: 1, isSent: false },
    } as Routed
    for (let call = 0; call < 5; call++) {
      void end(chat, { status: 'failed', fault: 'account', error }, exchange)
    }

    expect(state(account)).toEqual([['chat', undefined, 'open']])
    expect(judge({ ...chat, upstreamModel: 'other' })).toMatchObject([
      { excluded: { reason: 'circuit open: 5 of 5 calls found no connection' } },
    ])
  })

  test.each<[string, Outcome[], Outcome]>([
    ['unknown', [], { status: 'failed', fault: 'caller', httpStatus: 404 }],
    ['refused', [up], { status: 'failed', fault: 'account', httpStatus: 403, about: 'model' }],
  ])('stay though a caller makes up many names, which are %s', (_kind, before, outcome) => {
    const { end, fail, state } = startBreaker()
    const account = newAccount('a')
    const chat = candidateOf(account, 'chat')
    for (const one of before) void end(chat, one)
    fail(chat)
    for (let made = 0; made < 1_500; made++) {
      void end({ ...chat, upstreamModel: `made-up-${made}` }, outcome)
    }

    expect(state(account)).toEqual([['chat', 'm', 'open']])
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

    const fields = { account: 'a', family: 'chat', model: 'm' }
    expect(lines).toMatchObject([
      { ...fields, level: 'warn', msg: 'circuit opened: 5 of 5 calls got 500', key: 'key' },
      { ...fields, level: 'info', msg: expect.stringContaining('half-open') as string },
      { ...fields, level: 'info', msg: expect.stringContaining('closed') as string },
    ])
  })
})

describe('a call that looks for what an account has', () => {
  const lookUp = { model: '', refersTo: [{ kind: 'response', id: 'resp_1', use: 'own' }] }

  test('never speaks against it', () => {
    const { state, end } = startBreaker()
    const chat = candidateOf(newAccount('a'), 'chat')

    for (let poll = 0; poll < 50; poll++) void end(chat, down, exchangeOf(chat, 'req_1', lookUp))

    expect(state(chat.account)).toEqual([])
  })

  test('is let through, and does not find out whether the account works', async () => {
    const { state, clock, end, fail, judge, attempt } = startBreaker()
    const chat = candidateOf(newAccount('a'), 'chat')
    fail(chat)
    expect(judge(chat, lookUp)).toEqual([undefined])
    clock.now += 10_000
    const exchange = exchangeOf(chat, 'req_1', lookUp)

    expect(await attempt(exchange)).toBe(reply)
    void end(chat, up, exchange)

    expect(state(chat.account)).toEqual([['chat', 'm', 'half-open']])
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
    expect(judge(chat)).toMatchObject([{ excluded: { by: 'account-health' } }])
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

    expect(() => attempt(exchangeOf(chat, 'req_1'))).toThrow('circuit open')
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

test('an account that works again gets calls again', async () => {
  const { clock, end, fail, judge, attempt } = startBreaker()
  const chat = candidateOf(newAccount('a'), 'chat')
  fail(chat)
  clock.now += 10_000
  const exchange = exchangeOf(chat, 'req_1')
  await attempt(exchange)
  expect(judge(chat)).toMatchObject([{ excluded: { kind: 'circuit' } }])

  void end(chat, up, exchange)

  expect(judge(chat)).toEqual([undefined])
})
