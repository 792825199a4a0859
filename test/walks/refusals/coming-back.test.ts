import { expect, test } from 'vitest'

import type { Answer } from '../../../src/testing/fake-account.ts'
import { until } from '../../../src/testing/until.ts'
import { callsTo, refusing, serving, startPool } from '../failover/pool.ts'
import { form } from '../streams/forms.ts'
import { askAs, keys, listing } from './keys.ts'

const { chat } = form
const second = 1_000

/** A clock that a test moves on. */
function createClock() {
  let time = Date.now()
  return { now: () => time, pass: (ms: number) => void (time += ms) }
}

/** An account whose key may be revoked and restored. */
function createRevocable(status = 401) {
  const key = { isRevoked: true }
  const script: Answer = (response, request) => {
    const served = request.method === 'GET' ? listing : serving(chat)
    return (key.isRevoked ? refusing(status) : served)(response, request)
  }
  return { key, script }
}

test('an account whose key works again comes back by itself, and the log says so', async () => {
  const { key, script } = createRevocable()
  const clock = createClock()
  await using pool = await startPool(chat, { only: script }, { keys, now: clock.now })
  const { gateway } = pool
  await askAs('alice', gateway, chat)
  await until(() => gateway.log.length === 1)

  expect((await askAs('alice', gateway, chat)).status).toBe(503)
  key.isRevoked = false
  expect((await askAs('alice', gateway, chat)).status).toBe(503)
  clock.pass(31 * second)

  await until(async () => (await askAs('alice', gateway, chat)).status === 200)
  expect(gateway.log).toMatchObject([
    { level: 'error', account: 'only', again_ms: 30_000 },
    { level: 'info', msg: expect.stringContaining('account is back'), account: 'only' },
  ])
})

test('an account whose key stays dead is checked after longer and longer waits', async () => {
  const { script } = createRevocable(402)
  const clock = createClock()
  await using pool = await startPool(chat, { only: script }, { keys, now: clock.now })
  const { gateway, accounts } = pool
  const checks = () => accounts.only.requests.filter(({ method }) => method === 'GET').length
  await askAs('alice', gateway, chat)
  await until(() => gateway.log.length === 1)

  for (const [round, wait] of [30, 60, 120, 240, 480, 900, 900].entries()) {
    clock.pass(wait * second - 1)
    await askAs('alice', gateway, chat)
    expect(checks()).toBe(round + 1)
    clock.pass(1)
    await until(async () => {
      await askAs('alice', gateway, chat)
      return checks() === round + 2
    })
    // The next wait begins with the answer to the check.
    await askAs('alice', gateway, chat)
  }

  expect(callsTo(accounts.only)).toHaveLength(1)
  expect(gateway.log).toHaveLength(1)
})

test('an account that cannot be checked any more is tried with calls', async () => {
  const { key, script } = createRevocable()
  const clock = createClock()
  let hasList = true
  const unlisted: Answer = (response, request) =>
    (request.method === 'GET' && !hasList ? refusing(500) : script)(response, request)
  await using pool = await startPool(chat, { only: unlisted }, { keys, now: clock.now })
  await askAs('alice', pool.gateway, chat)
  await until(() => pool.gateway.log.length === 1)
  hasList = false
  key.isRevoked = false
  clock.pass(31 * second)

  await until(async () => (await askAs('alice', pool.gateway, chat)).status === 200)
})

test('an account that refused the calls of two keys comes back after a wait, and stays with a success', async () => {
  const { key, script } = createRevocable()
  const publicList: Answer = (response, request) =>
    (request.method === 'GET' ? listing : script)(response, request)
  const clock = createClock()
  await using pool = await startPool(
    chat,
    { a: publicList, b: serving(chat) },
    { keys, now: clock.now },
  )
  const serverOf = async () =>
    (await askAs('alice', pool.gateway, chat)).headers.get('x-dragoman-account')
  await askAs('alice', pool.gateway, chat)
  await askAs('bob', pool.gateway, chat)
  await until(() => pool.gateway.log.length === 1)
  key.isRevoked = false

  clock.pass(29 * second)
  expect(await serverOf()).toBe('b')
  clock.pass(2 * second)
  expect(await serverOf()).toBe('a')

  expect(pool.gateway.log).toMatchObject([
    { level: 'error', account: 'a' },
    { level: 'info', msg: expect.stringContaining('account is back'), account: 'a' },
  ])
})
