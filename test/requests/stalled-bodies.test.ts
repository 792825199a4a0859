import { connect, type Socket } from 'node:net'

import { expect, test } from 'vitest'

import { until } from '../../src/testing/until.ts'
import { type Service, startService } from './service.ts'

const formHead = 'content-type: multipart/form-data; boundary=b\r\ncontent-length: 9000000'

/** A connection on which a request has begun; `answer` is what has come back. */
function begin(service: Service, headers: string, path = '/v1/chat/completions') {
  const { url, key } = service.gateway
  const { hostname, port } = new URL(url)
  const socket: Socket = connect(Number(port), hostname)
  const begun = { socket, answer: '' }
  socket.on('data', (chunk: Buffer) => (begun.answer += chunk.toString()))
  socket.on('error', () => {})
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: g\r\nauthorization: Bearer ${key}\r\n${headers}\r\n\r\n`,
  )
  return begun
}

test('a body that stalls is answered 408', async () => {
  await using service = await startService({ timeouts: { requestBodyMs: 150 } })
  const begun = begin(service, 'content-length: 100')
  begun.socket.write('{"model":')
  await until(() => begun.answer.includes('}}'))
  begun.socket.destroy()
  expect(begun.answer).toMatch(/^HTTP\/1.1 408 /)
  expect(begun.answer).toContain('"code":408')
  expect(service.upstream.requests).toEqual([])
})

test('a body that is slow but never silent for long is read to its end', async () => {
  const requestBodyMs = 600
  await using service = await startService({ timeouts: { requestBodyMs } })
  const messages = [{ role: 'user', content: 'hi '.repeat(3_000) }]
  const body = JSON.stringify({ model: 'm', messages })
  const begun = begin(service, `content-length: ${body.length}`)
  const startedAt = performance.now()
  const elapsed = () => performance.now() - startedAt
  // Three times as fast as it must be.
  const piece = 150
  let sent = 0
  while (elapsed() < requestBodyMs + 200) {
    begun.socket.write(body.slice(sent * piece, ++sent * piece))
    await until(() => elapsed() > sent * 50)
  }
  begun.socket.write(body.slice(sent * piece))
  await until(() => begun.answer.includes('chatcmpl-1'))
  begun.socket.destroy()
  expect(begun.answer).toMatch(/^HTTP\/1.1 200 /)
})

test('a body that drips is answered 408, however short its silences are', async () => {
  await using service = await startService({ timeouts: { requestBodyMs: 150 } })
  const begun = begin(service, 'content-length: 100000')
  const drip = setInterval(() => begun.socket.write(' '), 10)
  await until(() => begun.answer.includes('}}'))
  clearInterval(drip)
  begun.socket.destroy()
  expect(begun.answer).toMatch(/^HTTP\/1.1 408 /)
  expect(service.upstream.requests).toEqual([])
})

test('bytes that came fast at first do not pay for a drip later', async () => {
  await using service = await startService({ timeouts: { requestBodyMs: 150 } })
  const begun = begin(service, 'content-length: 10000000')
  begun.socket.write(Buffer.alloc(5_000_000, ' '))
  const drip = setInterval(() => begun.socket.write(' '), 10)
  await until(() => begun.answer.includes('}}'))
  clearInterval(drip)
  begun.socket.destroy()
  expect(begun.answer).toMatch(/^HTTP\/1.1 408 /)
})

test('a form that drips is answered 408 and leaves the spool', async () => {
  await using service = await startService({ timeouts: { requestBodyMs: 150 } })
  const begun = begin(service, formHead, '/v1/images/edits')
  begun.socket.write('--b\r\ncontent-disposition: form-data; name="prompt"\r\n\r\n')
  begun.socket.write(Buffer.alloc(3_000_000, 'x'))
  const drip = setInterval(() => begun.socket.write('x'), 10)
  await until(() => begun.answer.includes('}}'))
  clearInterval(drip)
  begun.socket.destroy()
  expect(begun.answer).toMatch(/^HTTP\/1.1 408 /)
  await until(() => service.gateway.gateway.spooled() === 0)
})

test('a client that leaves in the middle of its body is logged as gone', async () => {
  await using service = await startService()
  const begun = begin(service, 'content-length: 100')
  begun.socket.write('{"model":')
  await until(() => service.gateway.gateway.inflight() === 1)
  begun.socket.destroy()
  const [line] = await service.gateway.logged(1)
  expect(line).toMatchObject({ status: 499, stream_end: 'client_gone', route: 'chat.create' })
  expect(service.upstream.requests).toEqual([])
})
