import { expect, test } from 'vitest'

import { Declined } from '../../src/contract/attempt.ts'
import { startFakeAccount } from '../../src/testing/fake-account.ts'
import { createTestGateway } from '../../src/testing/gateway.ts'
import { until } from '../../src/testing/until.ts'
import { startStitches } from './performed.ts'

const count = 100

/** Notes in how many turns of the event loop accounts decline. */
function watchTurns() {
  const turns = new Set<number>()
  let turn = 0
  const count = () => {
    turn++
    next = setImmediate(count)
  }
  let next = setImmediate(count)
  return {
    turns,
    decline(): never {
      turns.add(turn)
      throw new Declined('budget', 'it is spent')
    },
    [Symbol.dispose]: () => clearImmediate(next),
  }
}

const chat = {
  method: 'POST',
  body: JSON.stringify({ model: 'thread', messages: [{ role: 'user', content: 'Hi' }] }),
}

test('others are served while one account after another declines a call', async () => {
  using watch = watchTurns()
  await using account = await startFakeAccount((response) => void response.end())
  const accounts = Array.from({ length: count }, (_, at) => ({
    id: `a-${at}`,
    provider: 'openai',
    apiKey: 'k',
    baseUrl: `${account.url}/v1`,
    models: ['thread'],
  }))
  const plugins = [{ name: 'budget', onAttempt: () => watch.decline() }]
  await using gateway = await createTestGateway({ accounts, plugins })
  const headers = { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' }
  const response = await fetch(`${gateway.url}/v1/chat/completions`, { ...chat, headers })
  expect(response.status).toBe(503)
  expect(watch.turns.size).toBeGreaterThan(count / 10)
  expect(account.requests).toEqual([])
})

test('others are served while one account after another declines a request of an operation', async () => {
  using watch = watchTurns()
  await using stitches = await startStitches(() => watch.decline(), count)
  expect((await stitches.stitch()).status).toBe(503)
  expect(watch.turns.size).toBeGreaterThan(count / 10)
})

test('no account is asked to serve an operation whose client has left', async () => {
  const leaving = new AbortController()
  let asked = 0
  await using stitches = await startStitches(async ({ exchange }) => {
    asked++
    leaving.abort()
    await until(() => exchange.client.gone)
    throw new Declined('budget', 'it is spent')
  }, count)
  await expect(stitches.stitch(leaving.signal)).rejects.toThrow('aborted')
  expect(await stitches.gateway.logged(1)).toMatchObject([{ attempts: 0 }])
  expect(asked).toBe(1)
})
