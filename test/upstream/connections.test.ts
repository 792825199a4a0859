import type { Socket } from 'node:net'

import { expect, test } from 'vitest'

import type { Answer } from '../../src/testing/fake-account.ts'
import { until } from '../../src/testing/until.ts'
import { ask, receive } from '../walks/streams/asking.ts'
import { form } from '../walks/streams/forms.ts'
import { serving } from '../walks/failover/pool.ts'
import { createGate, openStream, stage } from '../walks/streams/scripted.ts'

const { chat } = form

/** Serves, and remembers over which connections it was asked. */
function countingConnections(answer: Answer): { sockets: Set<Socket>; answer: Answer } {
  const sockets = new Set<Socket>()
  return {
    sockets,
    answer(response, request) {
      sockets.add(response.socket!)
      return answer(response, request)
    },
  }
}

test('one request after the other goes over the same connection', async () => {
  const { sockets, answer } = countingConnections(serving(chat))
  await using scene = await stage(chat, answer)

  for (let round = 0; round < 10; round++) {
    await receive(await ask(scene.gateway, chat, { stream: round % 2 === 0 }))
    await scene.gateway.logged(round + 1)
  }

  expect(scene.account.requests).toHaveLength(10)
  expect(sockets.size).toBe(1)
})

test('a request never waits behind another one', async () => {
  const gate = createGate()
  await using scene = await stage(chat, async (response) => {
    openStream(response)
    await gate.opened
    response.end([...chat.output, ...chat.ending].join(''))
  })

  const asked = Array.from({ length: 20 }, () => ask(scene.gateway, chat))
  await until(() => scene.account.requests.length === 20)
  gate.open()

  for (const response of await Promise.all(asked)) expect(response.status).toBe(200)
})

test('a connection that broke is not used again', async () => {
  let asked = 0
  const { sockets, answer } = countingConnections((response, request) => {
    if (asked++ > 0) return serving(chat)(response, request)
    openStream(response, chat.output)
    setImmediate(() => response.socket?.resetAndDestroy())
  })
  await using scene = await stage(chat, answer)

  await receive(await ask(scene.gateway, chat))
  const { text } = await receive(await ask(scene.gateway, chat))

  expect(text).toMatch(chat.success)
  expect(sockets.size).toBe(2)
})

test('a client gets its end, though the account keeps the connection open after the last event', async () => {
  await using scene = await stage(chat, (response) =>
    openStream(response, [...chat.output, ...chat.ending]),
  )

  const received = await receive(await ask(scene.gateway, chat))

  expect(received).toEqual({ text: [...chat.output, ...chat.ending].join(''), reset: false })
  expect((await scene.gateway.logged(1))[0]).toMatchObject({ stream_end: 'complete' })
  await until(() => scene.account.requests[0]!.aborted)
})

test('a connection that breaks after the last event does no harm', async () => {
  await using scene = await stage(chat, (response) => {
    openStream(response, [...chat.output, ...chat.ending])
    setImmediate(() => response.socket?.destroySoon())
  })

  const received = await receive(await ask(scene.gateway, chat))

  expect(received).toEqual({ text: [...chat.output, ...chat.ending].join(''), reset: false })
  expect((await scene.gateway.logged(1))[0]).toMatchObject({ stream_end: 'complete' })
})
