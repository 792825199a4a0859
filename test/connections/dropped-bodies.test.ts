import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { type Socket, connect } from 'node:net'

import { expect, test } from 'vitest'

import { until } from '../../src/testing/until.ts'
import { startService } from '../requests/service.ts'

const MiB = 1024 * 1024
const clients = 8
const bytes = 16 * MiB

/** Collects the connections that servers of this process accept. */
function watchConnections(): Disposable & { readonly accepted: Socket[] } {
  const accepted: Socket[] = []
  const note = (message: unknown) => void accepted.push((message as { socket: Socket }).socket)
  subscribe('net.server.socket', note)
  return { accepted, [Symbol.dispose]: () => void unsubscribe('net.server.socket', note) }
}

/** Sends a large body with a key that the gateway does not know. */
function sendRefused(url: URL): { readonly answer: () => string; readonly socket: Socket } {
  let answer = ''
  const socket = connect(Number(url.port), url.hostname)
  socket.on('data', (chunk: Buffer) => (answer += String(chunk))).on('error', () => {})
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nhost: g\r\nauthorization: Bearer unknown\r\n` +
      `content-type: application/json\r\ncontent-length: ${bytes}\r\n\r\n`,
  )
  socket.write(Buffer.alloc(bytes, 'x'))
  return { socket, answer: () => answer }
}

test('bodies of many refused requests are dropped in small parts, each in a turn of the event loop', async () => {
  await using service = await startService()
  using connections = watchConnections()
  const read = () => connections.accepted.reduce((sum, socket) => sum + socket.bytesRead, 0)
  let [before, most] = [0, 0]
  const count = () => {
    const all = read()
    most = Math.max(most, all - before)
    before = all
    next = setImmediate(count)
  }
  let next = setImmediate(count)
  const url = new URL(service.gateway.url)
  const sent = Array.from({ length: clients }, () => sendRefused(url))
  await until(() => read() >= clients * bytes)
  clearImmediate(next)
  for (const { answer, socket } of sent) {
    expect(answer()).toMatch(/^HTTP\/1.1 401 /)
    socket.destroy()
  }
  expect(most).toBeLessThan(4 * MiB)
})
