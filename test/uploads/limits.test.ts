import { connect } from 'node:net'

import { expect, test } from 'vitest'

import { until } from '../../src/testing/until.ts'
import { put, refusal, startService } from './service.ts'

test.each([
  ['/etc/passwd', 'relative'],
  ['../cat.png', 'segments'],
  ['a/../../cat.png', 'segments'],
  ['a/./b', 'segments'],
  ['..', 'segments'],
  ['a//b', 'empty'],
  ['a/', 'empty'],
  ['a\\b', 'characters'],
  ['C:\\cat.png', 'characters'],
  ['a\u0000b', 'characters'],
  ['a\nb', 'characters'],
  ['a\u202Egnp.exe', 'characters'],
  ['\ud800', 'characters'],
  ['s3://bucket/key', 'relative'],
  ['c:/cat.png', 'relative'],
  ['x'.repeat(513), '512'],
  [`${'x'.repeat(256)}/y`, '255'],
  ['  ', 'non-empty'],
])('the path %j is refused', async (path, words) => {
  await using service = await startService()
  const response = await service.ask({ path })
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({
    error: { param: 'path', message: expect.stringContaining(words) as string },
  })
})

test.each([
  [{}, 'path'],
  [{ path: 7 }, 'path'],
  [{ path: 'a', storage_provider: 7 }, 'storage_provider'],
  [{ path: 'a', size: -1 }, 'size'],
  [{ path: 'a', size: 1.5 }, 'size'],
  [{ path: 'a', overwrite: 'yes' }, 'overwrite'],
  [{ path: 'a', content_type: 'nonsense' }, 'content_type'],
  [{ path: 'a', content_type: 'a/b\r\nx: y' }, 'content_type'],
  [{ path: 'a', region: 'eu' }, 'region'],
  [{ path: 'a', region: 'eu', storage_region: 'us' }, 'storage_region'],
])('the request %j is refused', async (body, param) => {
  await using service = await startService()
  const response = await service.ask(body)
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ error: { param } })
})

test('a provider that nobody has is refused, and those that there are get named', async () => {
  await using service = await startService()
  const response = await service.ask({ path: 'a', storage_provider: 'azure' })
  expect(response.status).toBe(400)
  const { error } = (await response.json()) as { error: { message: string; param: string } }
  expect(error.param).toBe('storage_provider')
  expect(error.message).toContain('use local')
})

test('what is not said by null is not said', async () => {
  await using service = await startService()
  const nothing = { storage_provider: null, region: null, size: null, overwrite: null }
  expect((await service.ask({ path: 'a', ...nothing, content_type: null })).status).toBe(200)
})

/** Sends a body that has no end, and says nothing of its length. */
function putEndlessly(url: string) {
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: (controller) => controller.enqueue(new Uint8Array(10_000)),
  })
  const streamed: RequestInit & { duplex: 'half' } = { method: 'PUT', body, duplex: 'half' }
  return fetch(url, streamed)
}

test('a file above the size of its URL is cut off, and nothing of it is left', async () => {
  await using service = await startService({ uploads: { maxBytes: 100_000 } })
  const announced = await service.issue({ path: 'a.bin' })
  const response = await put(announced.upload_url, Buffer.alloc(100_001))
  expect(await refusal(response)).toEqual([413, 'request_too_large'])

  const chunked = await service.issue({ path: 'b.bin', size: 50_000 })
  const cut = await putEndlessly(chunked.upload_url)
  expect(await refusal(cut)).toEqual([413, 'request_too_large'])
  expect((await fetch(chunked.visit_url)).status).toBe(404)
  await until(async () => (await service.onDisk()).incoming === 0)
  expect(await service.onDisk()).toEqual({ complete: 0, incoming: 0 })

  expect(await refusal(await service.ask({ path: 'c', size: 100_001 }))).toEqual([
    413,
    'request_too_large',
  ])
  const exact = await service.issue({ path: 'd.bin' })
  expect((await put(exact.upload_url, Buffer.alloc(100_000))).status).toBe(201)
})

test('an operator takes some types only', async () => {
  await using service = await startService({ uploads: { types: ['image/*', 'video/mp4'] } })
  const html = { path: 'a.html', content_type: 'text/html' }
  expect(await refusal(await service.ask(html))).toEqual([415, 'unsupported_media_type'])
  const { upload_url } = await service.issue({ path: 'picture' })
  expect((await put(upload_url, 'x', { 'content-type': 'text/html' })).status).toBe(415)
  expect((await put(upload_url, Buffer.from('x'))).status).toBe(415)
  expect((await put(upload_url, 'x', { 'content-type': 'image/webp' })).status).toBe(201)
})

test('a file is sent as it is and whole', async () => {
  await using service = await startService()
  const { upload_url } = await service.issue({ path: 'a' })
  expect((await put(upload_url, 'x', { 'content-encoding': 'gzip' })).status).toBe(415)
  expect((await put(upload_url, 'x', { 'content-range': 'bytes 0-0/9' })).status).toBe(400)
})

/** Begins a `PUT` of a thousand bytes, of which ten arrive. */
function beginPut(uploadUrl: string, headers = '', body = '0123456789') {
  const url = new URL(uploadUrl)
  const socket = connect(Number(url.port), url.hostname)
  const head = `PUT ${url.pathname}${url.search} HTTP/1.1\r\nhost: x\r\n${headers}content-length: 1000\r\n\r\n`
  socket.write(head + body)
  let answer = ''
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString())).on('error', () => {})
  return { socket, answer: () => answer }
}

test('a client that leaves in the middle leaves nothing behind', async () => {
  await using service = await startService()
  const { upload_url, visit_url } = await service.issue({ path: 'half.bin' })
  const { socket } = beginPut(upload_url)
  await until(async () => (await service.onDisk()).incoming === 1)
  expect((await fetch(visit_url)).status).toBe(404)
  socket.destroy()
  await until(async () => (await service.onDisk()).incoming === 0)
  expect((await fetch(visit_url)).status).toBe(404)
  expect((await put(upload_url, 'whole')).status).toBe(201)
})

test('a client that falls silent is told so, and nothing is kept', async () => {
  await using service = await startService({ timeouts: { requestBodyMs: 200 } })
  const { upload_url } = await service.issue({ path: 'slow.bin' })
  const { socket, answer } = beginPut(upload_url)
  await until(() => answer().includes('request_timeout'))
  expect(answer()).toMatch(/^HTTP\/1.1 408 /)
  socket.destroy()
  expect(await service.onDisk()).toEqual({ complete: 0, incoming: 0 })
})

test('a client that drips is refused, however short its silences are, and nothing is kept', async () => {
  await using service = await startService({ timeouts: { requestBodyMs: 200 } })
  const { upload_url } = await service.issue({ path: 'slow.bin' })
  const { socket, answer } = beginPut(upload_url)
  const drip = setInterval(() => socket.write('x'), 10)
  await until(() => answer().includes('request_timeout'))
  clearInterval(drip)
  expect(answer()).toMatch(/^HTTP\/1.1 408 /)
  socket.destroy()
  await until(async () => (await service.onDisk()).incoming === 0)
})

test('a client that waits with its file is asked for it only if its URL is valid', async () => {
  await using service = await startService()
  const { upload_url } = await service.issue({ path: 'asked.bin' })
  const ask = async (url: string) => {
    const { answer, socket } = beginPut(url, 'expect: 100-continue\r\n', '')
    await until(() => answer().includes('\r\n\r\n'))
    socket.destroy()
    return answer().slice(0, 13)
  }
  expect(await ask(upload_url)).toBe('HTTP/1.1 100 ')
  expect(await ask(upload_url.replace(/signature=.{3}/, 'signature=xxx'))).toBe('HTTP/1.1 403 ')
})
