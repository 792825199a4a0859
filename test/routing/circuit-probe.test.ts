import { expect, test } from 'vitest'

import { definePlugin } from '../../src/contract/plugin.ts'
import { until } from '../../src/testing/until.ts'
import { refusing, serving } from '../walks/failover/pool.ts'
import { ask } from '../walks/streams/asking.ts'
import { form } from '../walks/streams/forms.ts'
import { createGate } from '../walks/streams/scripted.ts'
import { type Pair, type PairOptions, startPair } from './pair.ts'

const { chat } = form

/** The circuit of `a` has been open, and its time is over. */
async function startDue(options: Omit<PairOptions, 'now'> = {}): Promise<Pair> {
  let time = Date.now()
  const pair = await startPair(chat, { b: { priority: 1 }, now: () => time, ...options })
  pair.a.script = refusing(500)
  for (let call = 0; call < 5; call++) await pair.ask()
  time += 12_001
  return pair
}

test('while one call tries an account, the others go elsewhere', async () => {
  await using pair = await startDue()
  const gate = createGate()
  pair.a.script = async (response, request) => {
    await gate.opened
    await serving(chat)(response, request)
  }

  const trying = pair.ask()
  await until(() => pair.a.requests.length === 6)
  const others = await Promise.all([pair.ask(), pair.ask(), pair.ask()])
  gate.open()

  expect(others.map(({ account }) => account)).toEqual(['b', 'b', 'b'])
  expect(await trying).toMatchObject({ status: 200, account: 'a' })
  expect(pair.a.requests).toHaveLength(6)
  expect(await pair.ask()).toMatchObject({ status: 200, account: 'a' })
})

test('a client that leaves while its call tries the account lets the next one try', async () => {
  await using pair = await startDue()
  pair.a.script = () => {}
  const leaving = new AbortController()
  const trying = ask(pair.gateway, chat, { signal: leaving.signal })
  await until(() => pair.a.requests.length === 6)

  leaving.abort()
  await expect(trying).rejects.toThrow()
  await pair.gateway.logged(6)
  pair.a.script = serving(chat)

  expect(await pair.ask()).toMatchObject({ status: 200, account: 'a' })
})

test('a mistake of the client that tries says nothing: the next one tries again', async () => {
  await using pair = await startDue()
  pair.a.script = refusing(400)
  expect(await pair.ask()).toMatchObject({ status: 400, account: 'a' })
  expect(await pair.ask()).toMatchObject({ status: 400, account: 'a' })
  pair.a.script = serving(chat)

  expect(await pair.ask()).toMatchObject({ status: 200, account: 'a' })

  expect(pair.gateway.log.map(({ msg }) => msg)).toEqual([
    'circuit opened: 5 of 5 calls got 500',
    'circuit half-open: one call probes the account',
    'circuit closed: the account works again',
  ])
})

test('after a failed trial, calls of other keys try the account one at a time', async () => {
  const keys = ['mallory', 'alice', 'bob'].map((id) => ({ id, secret: id }))
  let time = Date.now()
  await using pair = await startPair(chat, { keys, b: { priority: 1 }, now: () => time })
  pair.a.script = refusing(500)
  for (let call = 0; call < 5; call++) await pair.ask({ key: keys[call % 3]!.id })
  time += 12_001
  await pair.ask({ key: 'mallory' })
  const gate = createGate()
  pair.a.script = async (response, request) => {
    await gate.opened
    await refusing(500)(response, request)
  }

  const trying = pair.ask({ key: 'alice' })
  await until(() => pair.a.requests.length === 7)
  const others = await Promise.all(['bob', 'alice', 'bob'].map((key) => pair.ask({ key })))
  expect(others.map(({ account }) => account)).toEqual(['b', 'b', 'b'])
  gate.open()
  await trying

  expect(await pair.ask({ key: 'bob' })).toMatchObject({ account: 'b' })
  expect(pair.a.requests).toHaveLength(7)
})

/** The circuit of `a` is open for all keys and its time is over; then `a` answers once its gate opens. */
async function startLong(ids: readonly string[]) {
  const keys = ids.map((id) => ({ id, secret: id }))
  let time = Date.now()
  const pair = await startPair(chat, { keys, b: { priority: 1 }, now: () => time })
  pair.a.script = refusing(500)
  for (let call = 0; call < 5; call++) await pair.ask({ key: keys[call % 3]!.id })
  time += 12_001
  const gate = createGate()
  pair.a.script = async (response, request) => {
    await gate.opened
    await serving(chat)(response, request)
  }
  return { ...pair, gate, pass: (milliseconds: number) => void (time += milliseconds) }
}

test('a trial that takes long leaves the account to a call of another key', async () => {
  await using pair = await startLong(['mallory', 'alice', 'bob'])
  const { gate } = pair
  const trying = pair.ask({ key: 'mallory' })
  await until(() => pair.a.requests.length === 6)
  pair.a.script = serving(chat)
  pair.pass(9_999)
  expect(await pair.ask({ key: 'alice' })).toMatchObject({ account: 'b' })

  pair.pass(1)
  expect(await pair.ask({ key: 'mallory' })).toMatchObject({ account: 'b' })
  for (const key of ['alice', 'bob', 'mallory']) {
    expect(await pair.ask({ key })).toMatchObject({ account: 'a' })
  }
  gate.open()
  expect(await trying).toMatchObject({ status: 200, account: 'a' })
})

test('a trial that takes long and succeeds closes the circuit, also beside another one', async () => {
  await using pair = await startLong(['mallory', 'alice', 'bob'])
  const trying = pair.ask({ key: 'mallory' })
  await until(() => pair.a.requests.length === 6)
  pair.pass(10_000)
  const beside = createGate()
  pair.a.script = async (response, request) => {
    await beside.opened
    await serving(chat)(response, request)
  }
  const other = pair.ask({ key: 'alice' })
  await until(() => pair.a.requests.length === 7)
  pair.a.script = serving(chat)
  expect(await pair.ask({ key: 'bob' })).toMatchObject({ account: 'b' })

  pair.gate.open()
  await trying
  expect(await pair.ask({ key: 'bob' })).toMatchObject({ account: 'a' })
  beside.open()
  expect(await other).toMatchObject({ status: 200, account: 'a' })
})

/** Holds calls back before they are judged, once it is told to, so that they go on together. */
function holdBack() {
  const gate = createGate()
  const held = { holds: false, calls: 0 }
  const plugin = definePlugin({
    name: 'hold-back',
    async onCandidates() {
      held.calls++
      if (held.holds) await gate.opened
      return undefined
    },
  })
  return { held, plugin, letGo: gate.open }
}

test('of two calls that would both try the account, the slower one goes elsewhere', async () => {
  const { held, plugin, letGo } = holdBack()
  await using pair = await startDue({ plugins: [plugin] })
  held.holds = true
  const gate = createGate()
  pair.a.script = async (response, request) => {
    await gate.opened
    await serving(chat)(response, request)
  }

  const calls = [pair.ask(), pair.ask()]
  await until(() => held.calls === 7)
  letGo()
  await until(() => pair.b.requests.length === 6)
  gate.open()

  const accounts = (await Promise.all(calls)).map(({ account }) => account)
  expect(new Set(accounts)).toEqual(new Set(['a', 'b']))
  expect(pair.a.requests).toHaveLength(6)
  const lines = await pair.gateway.logged(7)
  expect(lines.find(({ account, excluded }) => account === 'b' && excluded)).toMatchObject({
    excluded: [
      { account: 'a', by: 'account-health', reason: expect.stringContaining('half-open') },
    ],
  })
})
