import { expect, test } from 'vitest'

import { definePlugin } from '../../src/contract/plugin.ts'
import { put, startService } from './service.ts'

const content = '0123456789'

async function startWithFile(path = 'clip.mp4', type = 'video/mp4') {
  const service = await startService()
  const { upload_url, visit_url } = await service.issue({ path, content_type: type })
  expect((await put(upload_url, content, { 'content-type': type })).status).toBe(201)
  return { service, url: visit_url, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() }
}

test.each([
  ['bytes=0-3', '0123', 'bytes 0-3/10'],
  ['bytes=4-', '456789', 'bytes 4-9/10'],
  ['bytes=-2', '89', 'bytes 8-9/10'],
  ['bytes=-99', content, 'bytes 0-9/10'],
  ['bytes=8-99', '89', 'bytes 8-9/10'],
  ['bytes=0-0', '0', 'bytes 0-0/10'],
])('a player that asks for %s gets that part', async (range, text, told) => {
  await using file = await startWithFile()
  const response = await fetch(file.url, { headers: { range } })
  expect([response.status, await response.text()]).toEqual([206, text])
  expect(response.headers.get('content-range')).toBe(told)
  expect(response.headers.get('content-length')).toBe(String(text.length))
})

test.each(['bytes=0-1,4-5', 'bytes=5-2', 'lines=1-2', 'bytes=-', 'bytes=a-b'])(
  'a range that is none, %s, is left out of account',
  async (range) => {
    await using file = await startWithFile()
    const response = await fetch(file.url, { headers: { range } })
    expect([response.status, await response.text()]).toEqual([200, content])
  },
)

test.each(['bytes=10-', 'bytes=-0'])('a range beyond the end, %s, is told so', async (range) => {
  await using file = await startWithFile()
  const response = await fetch(file.url, { headers: { range } })
  expect(response.status).toBe(416)
  expect(response.headers.get('content-range')).toBe('bytes */10')
})

test('a player that has the beginning of another version gets the whole of this one', async () => {
  await using file = await startWithFile()
  const { headers } = await fetch(file.url, { method: 'HEAD' })
  const tag = headers.get('etag') ?? ''
  const known = await fetch(file.url, { headers: { range: 'bytes=5-', 'if-range': tag } })
  expect([known.status, await known.text()]).toEqual([206, '56789'])
  const other = await fetch(file.url, { headers: { range: 'bytes=5-', 'if-range': '"x"' } })
  expect([other.status, await other.text()]).toEqual([200, content])
})

test('HEAD tells what GET would bring', async () => {
  await using file = await startWithFile()
  const response = await fetch(file.url, { method: 'HEAD' })
  expect([response.status, await response.text()]).toEqual([200, ''])
  expect(response.headers.get('content-length')).toBe('10')
  expect(response.headers.get('content-type')).toBe('video/mp4')
  expect(response.headers.get('accept-ranges')).toBe('bytes')
  const ranged = await fetch(file.url, { method: 'HEAD', headers: { range: 'bytes=2-4' } })
  expect([ranged.status, ranged.headers.get('content-length')]).toEqual([200, '10'])
})

test.each([
  ['clip.mp4', 'video/mp4', 'inline'],
  ['photo.png', 'image/png', 'inline'],
  ['page.html', 'text/html', 'attachment'],
  ['drawing.svg', 'image/svg+xml', 'attachment'],
  ['drawing.svgz', 'Image/SVG+XML;charset=utf-8', 'attachment'],
  ['scene', 'image/x3d+xml', 'attachment'],
  ['chart', 'image/svg-xml', 'attachment'],
  ['sound', 'audio/mobile-xmf+xml', 'attachment'],
  ['photo.jpg', 'image/jpg', 'inline'],
  ['unknown', 'application/octet-stream', 'attachment'],
])('a browser that opens %s runs nothing of it', async (path, type, disposition) => {
  await using file = await startWithFile(`folder/${path}`, type)
  const { headers } = await fetch(file.url)
  expect(headers.get('content-disposition')).toBe(`${disposition}; filename*=UTF-8''${path}`)
  expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
  expect(headers.get('x-content-type-options')).toBe('nosniff')
})

test('a visitor who leaves early does not disturb the others', async () => {
  await using service = await startService()
  const large = Buffer.alloc(4 * 1024 * 1024, 7)
  const { upload_url, visit_url } = await service.issue({ path: 'large.bin' })
  await put(upload_url, large)
  for (let visit = 0; visit < 5; visit++) {
    const leaving = new AbortController()
    const response = await fetch(visit_url, { signal: leaving.signal })
    await response.body?.getReader().read()
    leaving.abort()
  }
  expect((await (await fetch(visit_url)).arrayBuffer()).byteLength).toBe(large.length)
})

test('edge plugins stand between a client and its file without changing it', async () => {
  const http = {
    onResponse: ({ response }: { response: Response }) => response.headers.set('x-edge', '1'),
  }
  await using service = await startService({ plugins: [definePlugin({ name: 'edge', http })] })
  const large = Buffer.alloc(3 * 1024 * 1024, 'film')
  const { upload_url, visit_url } = await service.issue({ path: 'film.mp4' })
  expect((await put(upload_url, large)).status).toBe(201)
  const head = await fetch(visit_url, { method: 'HEAD' })
  expect(head.headers.get('content-length')).toBe(String(large.length))
  const part = await fetch(visit_url, { headers: { range: 'bytes=4-7' } })
  expect([part.status, await part.text()]).toEqual([206, 'film'])
  const whole = await fetch(visit_url)
  expect(whole.headers.get('x-edge')).toBe('1')
  expect(Buffer.from(await whole.arrayBuffer()).equals(large)).toBe(true)
})

test('a file that was uploaded as image/jpg is an image/jpeg', async () => {
  await using file = await startWithFile('photo.jpg', 'image/jpg')
  expect((await fetch(file.url)).headers.get('content-type')).toBe('image/jpeg')
})
