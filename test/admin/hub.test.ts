import { randomUUID } from 'node:crypto'

import { expect, test, vi } from 'vitest'

import { type Hub, createHub } from '../../src/admin/live/hub.ts'
import { watchExchanges } from '../../src/admin/live/watch-exchanges.ts'
import type { LiveEvent, ProcessEvent } from '../../src/admin/live/events.ts'
import type { Subscriber } from '../../src/admin/live/subscriber.ts'
import { createMonitor } from '../../src/admin/processes/monitor.ts'
import type { Bus, BusListener } from '../../src/stores/bus.ts'
import { until } from '../../src/testing/until.ts'
import type { Ended } from '../../src/contract/exchange.ts'

const principal = { kind: 'token', id: 'x', role: 'viewer' } as const

/** A bus in memory; `drop` loses what is published, `hear` makes a message of an attacker. */
function openTestBus() {
  const listeners: BusListener[] = []
  const state = { drop: false, published: 0 }
  const bus: Bus = {
    publish(message) {
      state.published++
      if (!state.drop) for (const { onMessage } of listeners) onMessage(message)
    },
    listen: (listener) => void listeners.push(listener),
    async close() {},
  }
  return {
    bus,
    state,
    hear: (message: string) => listeners.forEach(({ onMessage }) => onMessage(message)),
    gap: () => listeners.forEach(({ onGap }) => onGap()),
  }
}

function hubOf(self: string, bus: Bus, commands: string[] = []): Hub {
  return createHub({
    self,
    bus,
    now: Date.now,
    onCommand: ({ from }) => void commands.push(from),
    onWanted: () => {},
  })
}

const sample = (at: number): ProcessEvent => ({
  type: 'PulseSample',
  processId: 'a',
  sample: { at, inFlight: 0, processes: 1, sums: {} },
})

/** The events that wait, without waiting for more. */
async function drain(subscriber: Subscriber): Promise<LiveEvent[]> {
  subscriber.close()
  const events: LiveEvent[] = []
  for await (const event of subscriber) events.push(event)
  return events
}

test('a slow subscriber keeps 256 events, and learns how many it has missed', async () => {
  const hub = hubOf('a', openTestBus().bus)
  const slow = hub.subscribe(['PULSE'], {}, principal)
  for (let at = 0; at < 1_000; at++) hub.emit(sample(at))
  const events = await drain(slow)
  expect(events[0]).toEqual({ type: 'Missed', reason: 'QUEUE', count: 744 })
  expect(events.length).toBe(257)
  expect(events.at(-1)).toEqual(sample(999))
  hub.close()
})

test('a filter selects circuits by their account and dialect', async () => {
  const hub = hubOf('a', openTestBus().bus)
  const opened = (accountId: string, dialect: string): ProcessEvent => {
    return { type: 'CircuitChanged', processId: 'a', accountId, dialect, state: 'OPEN' }
  }
  const filters = [{ dialect: 'chat' }, { accountId: 'one' }, { accountId: 'one', dialect: 'chat' }]
  const subscribers = filters.map((filter) => hub.subscribe(['CIRCUITS'], filter, principal))
  const [chat, messages, other] = [
    opened('one', 'chat'),
    opened('one', 'messages'),
    opened('other', 'chat'),
  ]
  for (const event of [chat, messages, other]) hub.emit(event)
  const seen = await Promise.all(subscribers.map((one) => drain(one)))
  expect(seen).toEqual([[chat, other], [chat, messages], [chat]])
  hub.close()
})

test('nothing is published for nobody, and what is lost on the way is told with its number', async () => {
  const { bus, state, gap } = openTestBus()
  const [here, there] = [hubOf('a', bus), hubOf('b', bus)]
  const before = state.published
  there.emit(sample(0))
  expect(state.published).toBe(before)
  const subscriber = here.subscribe(['PULSE'], {}, principal)
  expect(there.wanted.PULSE).toBe(true)
  there.emit(sample(1))
  state.drop = true
  for (let at = 2; at < 7; at++) there.emit(sample(at))
  state.drop = false
  there.emit(sample(7))
  gap()
  expect(await drain(subscriber)).toEqual([
    sample(1),
    { type: 'Missed', reason: 'OUTAGE', count: 5 },
    sample(7),
    { type: 'Missed', reason: 'OUTAGE', count: undefined },
  ])
  for (const hub of [here, there]) hub.close()
})

test('hostile messages are ignored', async () => {
  const { bus, hear } = openTestBus()
  const commands: string[] = []
  const hub = hubOf('a', bus, commands)
  const subscriber = hub.subscribe(['PULSE', 'EXCHANGES', 'AUDIT'], {}, principal)
  const from = { from: 'b', sent: 1 }
  const id = randomUUID()
  const command = { command: id, kind: 'probe', input: {} }
  const hostile = [
    7,
    null,
    [],
    {},
    { ...from, hello: ['EVERYTHING'] },
    { ...from, event: { ...sample(1), type: 'Missed', count: -1 } },
    { ...from, event: { type: 'PulseSample', processId: 'b' } },
    { ...from, event: { ...sample(1), sample: { at: 1e300 } } },
    { ...from, ...command, from: 'x'.repeat(100) },
    { ...from, ...command, from: 'a' },
    { ...from, ...command, sent: -1 },
    { ...from, ...command, command: 'yes' },
    { ...from, ...command, kind: '__proto__' },
    { ...from, ...command, kind: 7 },
    { ...from, ...command, input: 'text' },
    { ...from, ...command, extra: 1 },
    { to: 'b', ...from, ...command },
    { to: 'a', ...from, answer: id, status: 'UNANSWERED' },
    { ...from, answer: id, status: 'DONE' },
  ]
  for (const message of hostile) hear(JSON.stringify(message))
  hear('{"from":')
  const target = { type: 'x', id: 'x' }
  const entry = { id: 'x', at: 1, action: 'x', target, result: 'DONE', address: '', agent: '' }
  const event = { type: 'AuditRecorded', processId: 'b', entry }
  const long = { ...entry, reason: 'x'.repeat(70_000) }
  hear(JSON.stringify({ ...from, event: { ...event, entry: long } }))
  expect(commands).toEqual([])
  expect(await drain(subscriber)).toEqual([])
  hear(JSON.stringify({ ...from, ...command }))
  hear(JSON.stringify({ to: 'a', ...from, ...command }))
  hear(JSON.stringify({ to: 'a', ...from, answer: id, status: 'DONE', result: [1] }))
  expect(commands).toEqual(['b', 'b', 'b'])
  hub.close()
})

test('a process has 32 subscribers, whatever they are about', () => {
  const hub = hubOf('a', openTestBus().bus)
  const of = (id: string, rest = {}) => hub.subscribe([], {}, { ...principal, id, ...rest })
  for (let taken = 0; taken < 16; taken++) {
    of('one')
    of('two', { kind: 'session', sessionId: `s-${taken}` })
  }
  expect(() => of('three')).toThrow('32 subscribers')
  hub.end(({ id }) => id === 'one')
  of('three')
  hub.close()
})

test('a process without subscribers reads no events of others, and what it let pass is no loss', async () => {
  const { bus, state } = openTestBus()
  const [here, there, third] = [hubOf('a', bus), hubOf('b', bus), hubOf('c', bus)]
  const other = here.subscribe(['PULSE'], {}, principal)
  const parse = vi.spyOn(JSON, 'parse')
  for (let at = 0; at < 10; at++) there.emit(sample(at))
  // One of the two others has a subscriber.
  expect(parse).toHaveBeenCalledTimes(10)
  parse.mockRestore()
  const late = third.subscribe(['PULSE'], {}, principal)
  there.emit(sample(10))
  expect(await drain(late)).toEqual([sample(10)])

  // What was left out is counted, too.
  state.drop = true
  there.leaveOut('PULSE', 7)
  state.drop = false
  there.leaveOut('PULSE', 3)
  there.emit(sample(11))
  const events = await drain(other)
  expect(events.slice(-3)).toEqual([
    { type: 'Missed', reason: 'OUTAGE', count: 1 },
    { type: 'Missed', reason: 'SAMPLING', count: 3 },
    sample(11),
  ])
  for (const hub of [here, there, third]) hub.close()
})

test('a subscription ends with its token, and says so to its reader', async () => {
  vi.useFakeTimers()
  try {
    const hub = hubOf('a', openTestBus().bus)
    const subscriber = hub.subscribe(['PULSE'], {}, { ...principal, expiresAt: Date.now() + 5_000 })
    const other = hub.subscribe(['PULSE'], {}, principal)
    const next = subscriber.next()
    vi.advanceTimersByTime(8_000)
    expect(await next).toEqual({ done: true, value: undefined })
    hub.emit(sample(1))
    expect(await drain(other)).toEqual([sample(1)])
    hub.close()
  } finally {
    vi.useRealTimers()
  }
})

test('what is watched changes with the subscribers, and only then', () => {
  vi.useFakeTimers()
  try {
    const seen: boolean[] = []
    const hub = createHub({
      self: 'a',
      bus: openTestBus().bus,
      now: Date.now,
      onCommand: () => {},
      onWanted: ({ PULSE }) => void seen.push(PULSE),
    })
    const subscriber = hub.subscribe(['PULSE'], {}, principal)
    vi.advanceTimersByTime(20_000)
    subscriber.close()
    expect(seen).toEqual([true, false])
    hub.close()
  } finally {
    vi.useRealTimers()
  }
})

test('the end of a session ends its subscriptions, and those of no other', async () => {
  const hub = hubOf('a', openTestBus().bus)
  const ended = hub.subscribe(['PULSE'], {}, { ...principal, sessionId: 'one' })
  const other = hub.subscribe(['PULSE'], {}, { ...principal, sessionId: 'two' })
  hub.end(({ sessionId }) => sessionId === 'one')
  hub.emit(sample(1))
  expect(await drain(ended)).toEqual([])
  expect(await drain(other)).toEqual([sample(1)])
  hub.close()
})

/** An exchange as far as the monitor reads it. */
function exchangeOf(id: number, isAnonymous = false): Ended {
  return {
    id: `req_${id}`,
    receivedAt: performance.now(),
    ...(!isAnonymous && { caller: { keyId: 'k', mayUse: () => true } }),
    progress: {
      attempts: 1,
      former: [],
      failed: [],
      left: [],
      streamed: false,
      bytesIn: 0,
      bytesOut: 0,
      slot: -1,
    },
  } as unknown as Ended
}

test('of more than 50 changes a second, whole exchanges are left out, and their number is told', async () => {
  const hub = hubOf('a', openTestBus().bus)
  const monitor = createMonitor()
  const leftOut: number[] = []
  const watch = watchExchanges(
    monitor,
    { emit: hub.emit, leaveOut: (_topic, count) => void leftOut.push(count) },
    'a',
  )
  const subscriber = hub.subscribe(['EXCHANGES'], {}, principal)
  watch.set(true)
  // A new second must not begin within the burst.
  await until(() => performance.now() % 1_000 <= 500)
  for (let id = 0; id < 200; id++) {
    const exchange = exchangeOf(id)
    monitor.begin(exchange)
    monitor.end(exchange, { status: 200, end: 'complete', durationMs: 1 })
  }
  const events = await drain(subscriber)
  const began = events.filter(({ type }) => type === 'ExchangeBegan').length
  expect(began).toBe(25)
  expect(events.length).toBe(2 * began)
  expect(monitor.inFlight).toEqual([])
  expect([...monitor.recent()].length).toBe(200)
  await until(() => leftOut.length > 0)
  expect(leftOut).toEqual([175])

  // Requests without a key hide none of those with one.
  const later = hub.subscribe(['EXCHANGES'], {}, principal)
  await until(() => performance.now() % 1_000 <= 500)
  for (let id = 200; id < 300; id++) {
    const exchange = exchangeOf(id, id < 290)
    monitor.begin(exchange)
    monitor.end(exchange, { status: 401, end: 'complete', durationMs: 1 })
  }
  const ended = (await drain(later)).filter(({ type }) => type === 'ExchangeEnded')
  expect(ended.filter((event) => 'exchange' in event && event.exchange.keyId === 'k').length).toBe(
    10,
  )
  watch.set(false)
  hub.close()
})

test('a process remembers its last 1,000 exchanges, the newest first', () => {
  const monitor = createMonitor()
  const running = exchangeOf(-1)
  monitor.begin(running)
  for (let id = 0; id < 1_500; id++) {
    const exchange = exchangeOf(id)
    monitor.begin(exchange)
    monitor.end(exchange, { status: 200, end: 'complete', durationMs: 1 })
  }
  const ids = [...monitor.recent()].map(({ id }) => id)
  expect([ids.length, ids[0], ids.at(-1)]).toEqual([1_000, 'req_1499', 'req_500'])
  expect(monitor.inFlight).toEqual([running])
})
