import { expect, test } from 'vitest'

import type { Answer } from '../../src/testing/fake-account.ts'
import { until } from '../../src/testing/until.ts'
import { refusing, serving } from '../walks/failover/pool.ts'
import { ask } from '../walks/streams/asking.ts'
import { form, upToOutput } from '../walks/streams/forms.ts'
import { createGate, openStream } from '../walks/streams/scripted.ts'
import { type Pair, type PairOptions, startPair } from './pair.ts'

const { chat } = form
const keys = ['mallory', 'alice', 'bob'].map((id) => ({ id, secret: id }))

interface Due extends Pair {
  pass(milliseconds: number): void
  /** Begins a stream of mallory. */
  probe(): Promise<Response>
  servesFromA(key: string): Promise<boolean>
}

/** The circuit of `a` is open for all keys, and its time is over. */
async function startDue(options: PairOptions = {}): Promise<Due> {
  let time = Date.now()
  const pair = await startPair(chat, { keys, b: { priority: 1 }, now: () => time, ...options })
  pair.a.script = refusing(500)
  for (let call = 0; call < 5; call++) await pair.ask({ key: keys[call % 3]!.id })
  time += 12_001
  return {
    ...pair,
    pass: (milliseconds) => void (time += milliseconds),
    probe: () => ask({ url: pair.gateway.url, key: 'mallory' }, chat),
    servesFromA: async (key) => (await pair.ask({ key })).account === 'a',
  }
}

/** Begins a stream whose output flows until its gate is open, and then breaks. */
function flowing(end: ReturnType<typeof createGate>): Answer {
  return async (response) => {
    openStream(response, upToOutput(chat))
    await end.opened
    response.destroy()
  }
}

test('a call that tries an account lets all others in with its first output', async () => {
  await using pair = await startDue()
  const end = createGate()
  pair.a.script = flowing(end)
  const trying = await pair.probe()
  expect(trying.headers.get('x-dragoman-account')).toBe('a')
  pair.a.script = serving(chat)

  await until(() => pair.servesFromA('alice'))
  for (const key of ['alice', 'bob', 'mallory']) expect(await pair.servesFromA(key)).toBe(true)

  // Its stream breaks after all: one failure among successes.
  end.open()
  await expect(trying.text()).resolves.toContain('error')
  expect(await pair.servesFromA('alice')).toBe(true)
})

test('its client reads as slowly as it likes', async () => {
  await using pair = await startDue()
  pair.a.script = (response) => {
    openStream(response, upToOutput(chat))
    response.write(chat.output.join('').repeat(10_000))
  }
  const trying = await pair.probe()
  pair.a.script = serving(chat)

  await until(() => pair.servesFromA('alice'))
  await trying.body?.cancel()
})

test('a stream that says nothing yet lets none in, and its first output does', async () => {
  await using pair = await startDue({ timeouts: { holdMs: 50 } })
  const speak = createGate()
  pair.a.script = async (response) => {
    openStream(response, chat.announcements)
    await speak.opened
    response.write(chat.output.join(''))
  }
  const trying = await pair.probe()
  pair.a.script = serving(chat)
  for (const key of ['alice', 'bob']) expect(await pair.servesFromA(key)).toBe(false)

  speak.open()
  await until(() => pair.servesFromA('alice'))
  await trying.body?.cancel()
})

test('an account whose streams go on to break is left alone after the next failure', async () => {
  await using pair = await startDue()
  const end = createGate()
  pair.a.script = flowing(end)
  const trying = await pair.probe()
  end.open()
  await trying.text()

  // The failed trial concerns its own key: the account may have broken on its request.
  await until(async () => !(await pair.servesFromA('mallory')))
  const asked = pair.a.requests.length
  pair.a.script = refusing(500)
  for (const key of ['alice', 'bob', 'alice', 'mallory']) {
    expect(await pair.servesFromA(key)).toBe(false)
  }
  expect(pair.a.requests).toHaveLength(asked + 1)
  expect(pair.gateway.log.map(({ msg }) => msg)).toEqual([
    'circuit opened: 5 of 5 calls got 500',
    'circuit half-open: one call probes the account',
    'circuit closed: the account works again',
    'circuit opened again: a call found no connection before any was complete',
    'circuit opened for all keys: the probe got 500, after a failure of another key',
  ])
})

test('an account whose streams all break stays away for longer and longer, whichever key asks', async () => {
  await using pair = await startDue()
  const opened = () =>
    pair.gateway.log.filter(({ msg }) => String(msg).includes('opened for all keys')).length
  for (const [round, openMs] of [20_000, 40_000, 80_000].entries()) {
    const end = createGate()
    pair.a.script = flowing(end)
    const trying = [await pair.probe()]
    for (const key of ['alice', 'bob']) trying.push(await ask({ url: pair.gateway.url, key }, chat))
    expect(trying.map(({ headers }) => headers.get('x-dragoman-account'))).toEqual(['a', 'a', 'a'])
    end.open()
    for (const one of trying) await one.text()
    await until(() => opened() === round + 1)

    const asked = pair.a.requests.length
    pair.pass(openMs * 0.8 - 1)
    for (const key of ['mallory', 'alice', 'bob']) expect(await pair.servesFromA(key)).toBe(false)
    expect(pair.a.requests).toHaveLength(asked)
    pair.pass(openMs * 0.4 + 2)
  }
})

test('the output that one failing key gets puts no other key at risk', async () => {
  let time = Date.now()
  await using pair = await startPair(chat, { keys, b: { priority: 1 }, now: () => time })
  pair.a.script = refusing(500)
  for (let call = 0; call < 5; call++) await pair.ask({ key: 'mallory' })
  time += 12_001
  const end = createGate()
  pair.a.script = flowing(end)
  const trying = await ask({ url: pair.gateway.url, key: 'mallory' }, chat)
  await until(() => pair.gateway.log.some(({ msg }) => String(msg).startsWith('circuit closed')))

  pair.a.script = refusing(500)
  expect(await pair.ask({ key: 'alice' })).toMatchObject({ account: 'b' })
  pair.a.script = serving(chat)
  for (const key of ['mallory', 'alice']) {
    expect(await pair.ask({ key })).toMatchObject({ account: 'a' })
  }
  await trying.body?.cancel()
})
