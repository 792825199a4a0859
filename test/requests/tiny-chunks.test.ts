import { once } from 'node:events'
import { type Socket, connect } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { expect, test } from 'vitest'

import { until } from '../../src/testing/until.ts'
import { dialects } from './dialects.ts'
import { type Service, startService } from './service.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const MiB = 1024 * 1024
const count = 300_000
const chunks = '1\r\nx\r\n'

function memory(): number {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

async function send(socket: Socket, text: string): Promise<void> {
  if (!socket.write(text)) await once(socket, 'drain')
}

/** Sends a body of `count` chunks of a byte each, between a first and a last one. */
async function openRequest(
  { gateway }: Service,
  { path, type, first }: { path: string; type: string; first: string },
): Promise<Socket> {
  const { hostname, port } = new URL(gateway.url)
  const socket = connect(Number(port), hostname)
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: g\r\nauthorization: Bearer ${gateway.key}\r\n` +
      `content-type: ${type}\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n`,
  )
  await send(socket, `${first.length.toString(16)}\r\n${first}\r\n`)
  for (let sent = 0; sent < count; sent += 1_000) await send(socket, chunks.repeat(1_000))
  return socket
}

async function finish(socket: Socket, last: string): Promise<string> {
  socket.write(`${last.length.toString(16)}\r\n${last}\r\n0\r\n\r\n`)
  let answer = ''
  for await (const piece of socket) answer += String(piece)
  return answer
}

test('a body in chunks of a byte takes no more memory than its bytes', async () => {
  await using service = await startService()
  const before = memory()
  const first = '{"model":"m","messages":[{"role":"user","content":"'
  const path = '/v1/chat/completions'
  const socket = await openRequest(service, { path, type: 'application/json', first })
  await until(() => service.gateway.gateway.held() > 1.5 * count)
  expect(memory() - before).toBeLessThan(16 * MiB)
  expect(await finish(socket, '"}]}')).toContain('HTTP/1.1 200')
  expect(service.received().body.length).toBe(first.length + count + 4)
})

test('a form in chunks of a byte is read', async () => {
  await using service = await startService()
  const first = '--b\r\ncontent-disposition: form-data; name="image"; filename="a"\r\n\r\n'
  const type = 'multipart/form-data; boundary=b'
  const socket = await openRequest(service, { path: '/v1/images/edits', type, first })
  const rest = 'y'.repeat(MiB)
  expect(await finish(socket, rest)).toContain('The form is cut off')
})

test.each(['a reply', 'a frame of a stream'])(
  '%s in chunks of a byte takes no more memory than its bytes',
  async (what) => {
    const isStream = what !== 'a reply'
    const rest = Promise.withResolvers<void>()
    const reply = JSON.stringify(dialects.chat.reply)
    const [start, end] = isStream
      ? [
          'data: {"id":"c","choices":[{"index":0,"finish_reason":"stop","delta":{"content":"',
          '"}}]}\n\ndata: [DONE]\n\n',
        ]
      : [`${reply.slice(0, -1)},"a":"`, '"}']
    await using service = await startService({}, async (response) => {
      const type = isStream ? 'text/event-stream' : 'application/json'
      response.writeHead(200, { 'content-type': type })
      const { socket } = response
      if (!socket) return
      await new Promise<void>((sent) => response.write(start, () => sent()))
      for (let sent = 0; sent < count; sent += 1_000) await send(socket, chunks.repeat(1_000))
      await rest.promise
      response.end(end)
    })
    const before = memory()
    const asked = service.ask('chat', { stream: isStream })
    await until(() => service.gateway.gateway.held() > 1.5 * count)
    expect(memory() - before).toBeLessThan(16 * MiB)
    rest.resolve()
    const answer = await asked
    expect(answer.status).toBe(200)
    expect((await answer.text()).length).toBeGreaterThan(count)
  },
)
