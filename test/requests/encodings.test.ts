import { promisify } from 'node:util'
import { brotliCompress, deflate, gzip, zstdCompress } from 'node:zlib'

import { expect, test } from 'vitest'

import { dialectNames, dialects } from './dialects.ts'
import { startService } from './service.ts'

type Bytes = Buffer<ArrayBuffer>
type Compress = (bytes: string | Bytes) => Promise<Bytes>

const codings = {
  gzip: promisify(gzip),
  'x-gzip': promisify(gzip),
  deflate: promisify(deflate),
  br: promisify(brotliCompress),
  zstd: promisify(zstdCompress),
} satisfies Record<string, Compress>

const names = Object.keys(codings) as (keyof typeof codings)[]

const body = JSON.stringify({ ...dialects.chat.request, text: 'é'.repeat(500) })

test.each(names)('a request in %s is decoded', async (coding) => {
  await using service = await startService()
  const compressed = await codings[coding](body)
  for (const name of [coding, coding.toUpperCase(), ` ${coding} `, `identity, ${coding}`]) {
    const response = await service.post('chat', compressed, {
      headers: { 'content-encoding': name },
    })
    expect(response.status).toBe(200)
    expect(service.received().body.toString()).toBe(body)
    expect(service.received().headers['content-encoding']).toBeUndefined()
  }
})

test('codings are undone in the reverse order of their names', async () => {
  await using service = await startService()
  const compressed = await codings.br(await codings.gzip(body))
  const headers = { 'content-encoding': 'gzip, br' }
  expect((await service.post('chat', compressed, { headers })).status).toBe(200)
  expect(service.received().body.toString()).toBe(body)
})

test.each(names)('a bomb in %s is stopped at the limit', async (coding) => {
  await using service = await startService({ limits: { jsonBodyBytes: 60_000 } })
  const bomb = await codings[coding](`{"model":"m","messages":"${' '.repeat(5_000_000)}"}`)
  expect(bomb.length).toBeLessThan(60_000)
  const response = await service.post('chat', bomb, { headers: { 'content-encoding': coding } })
  expect(response.status).toBe(413)
  const message = expect.stringContaining('exceeds 60000 bytes') as string
  expect(await response.json()).toMatchObject({ error: { code: 413, message } })
})

test.each(names)('bytes that are no %s are answered 400', async (coding) => {
  await using service = await startService()
  const whole = await codings[coding](body)
  for (const bad of [Buffer.from(body), whole.subarray(0, whole.length / 2)]) {
    const response = await service.post('chat', bad, { headers: { 'content-encoding': coding } })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      error: { details: [{ code: 'invalid_encoding' }] },
    })
  }
  expect(service.upstream.requests).toEqual([])
})

const unknown = ['compress', 'snappy', 'gzip, lzma', 'constructor', '__proto__']

test.each(unknown)('content-encoding %s is answered 415', async (coding) => {
  await using service = await startService()
  for (const dialect of dialectNames) {
    const response = await service.ask(dialect, {}, { headers: { 'content-encoding': coding } })
    expect(response.status).toBe(415)
    expect(await response.json()).toMatchObject({ error: { code: 415 } })
  }
  expect(service.upstream.requests).toEqual([])
})
