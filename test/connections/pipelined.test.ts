import { connect } from 'node:net'

import { expect, test } from 'vitest'

import { startFakeAccount } from '../../src/testing/fake-account.ts'
import { createTestGateway } from '../../src/testing/gateway.ts'
import { until } from '../../src/testing/until.ts'
import { dialects } from '../requests/dialects.ts'
import { statusesIn } from './conversation.ts'

/** A gateway whose account answers one request after another, when it is released. */
async function startStage() {
  await using starting = new AsyncDisposableStack()
  const seen = { open: 0, mostOpen: 0, answered: 0 }
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  const account = starting.use(
    await startFakeAccount((response) => {
      seen.mostOpen = Math.max(seen.mostOpen, ++seen.open)
      void released.then(() => {
        seen.open--
        seen.answered++
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify(dialects.chat.reply))
      })
    }),
  )
  const gateway = starting.use(
    await createTestGateway({
      accounts: [
        {
          id: 'a',
          provider: 'openai-compatible',
          baseUrl: `${account.url}/v1`,
          apiKey: 'key',
          models: ['*'],
        },
      ],
    }),
  )
  const { hostname, port } = new URL(gateway.url)
  const socket = connect(Number(port), hostname)
  const said = { text: '', isClosed: false }
  socket.setEncoding('latin1').on('data', (chunk: string) => (said.text += chunk))
  socket.on('error', () => {}).once('close', () => (said.isClosed = true))
  starting.defer(() => void socket.destroy())
  const body = JSON.stringify(dialects.chat.request)
  const call = [
    'POST /v1/chat/completions HTTP/1.1',
    'host: a',
    `authorization: Bearer ${gateway.key}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n')
  const started = starting.move()
  return {
    gateway,
    seen,
    release,
    socket,
    said,
    call,
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}

const get = 'GET /nowhere HTTP/1.1\r\nhost: a\r\n\r\n'

test('requests that a client sends without waiting are served one after another, in their order', async () => {
  await using stage = await startStage()
  const { socket, said, seen, call } = stage
  socket.write(`${call}${call}${get}${call.repeat(100)}`)
  await until(() => seen.open === 1)
  // What comes later on another connection is served meanwhile.
  expect((await fetch(`${stage.gateway.url}/livez`)).status).toBe(200)
  stage.release()
  await until(() => statusesIn(said.text).length === 103)
  expect(seen).toEqual({ open: 0, mostOpen: 1, answered: 102 })
  expect(statusesIn(said.text).slice(0, 4)).toEqual([200, 200, 404, 200])
})

test('a call that is given up takes those behind it along', async () => {
  await using stage = await startStage()
  const { socket, seen, call, gateway } = stage
  socket.write(call.repeat(50))
  await until(() => seen.open === 1)
  socket.destroy()
  await gateway.logged(1)
  stage.release()
  expect((await fetch(`${gateway.url}/livez`)).status).toBe(200)
  expect(seen.mostOpen).toBe(1)
})

test('a connection on which thousands of requests wait ends, and takes no other along', async () => {
  await using stage = await startStage()
  const { socket, said, call, gateway } = stage
  socket.write(call + get.repeat(50_000))
  await until(() => said.isClosed)
  expect(statusesIn(said.text)).toEqual([])
  expect((await fetch(`${gateway.url}/livez`)).status).toBe(200)
})
