import { request } from 'node:http'

import { expect, test } from 'vitest'

import { createPublicUrl } from '../../src/kit/public-url.ts'
import { put, startService } from './service.ts'

/** Asks for a URL with headers that only a client of ill will sends. */
function askWith(gateway: string, headers: Record<string, string>): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = request(
      `${gateway}/v1/files/upload_url`,
      { method: 'POST', headers },
      (reply) => {
        let text = ''
        reply
          .on('data', (chunk: Buffer) => (text += chunk.toString()))
          .on('end', () => resolve(text))
      },
    )
    asked.on('error', reject).end(JSON.stringify({ path: 'a.png' }))
  })
}

test('what a client says of the gateway’s host is in no URL', async () => {
  await using service = await startService()
  const text = await askWith(service.gateway.url, {
    host: 'evil.example',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'https',
    forwarded: 'host=evil.example',
    authorization: 'Bearer key-of-alice',
    'content-type': 'application/json',
  })
  expect(text).toContain(service.gateway.url)
  expect(text).not.toContain('evil')
})

test('URLs begin with the public address, a path of it included', async () => {
  await using service = await startService({ publicUrl: 'https://llm.example.com/gateway/' })
  const { upload_url, visit_url } = await service.issue({ path: 'a b.png' })
  for (const url of [upload_url, visit_url]) {
    expect(url).toMatch(
      /^https:\/\/llm\.example\.com\/gateway\/v1\/files\/stored\/.*\/a%20b\.png\?/,
    )
  }
  const inside = upload_url.replace('https://llm.example.com/gateway', service.gateway.url)
  expect((await put(inside, 'x')).status).toBe(201)
})

test('an address that is of this machine alone is its own', () => {
  for (const url of ['http://127.0.0.1:8787', 'http://[::1]:80', 'http://localhost:1']) {
    const address = createPublicUrl()
    address.listening(url)
    expect(address.of('/v1')).toBe(`${url}/v1`)
    expect(address.configured).toBe(undefined)
  }
})

test('an address that others may know by another name has to be configured', () => {
  const address = createPublicUrl()
  const of = () => address.of('/v1')
  expect(of).toThrow(/publicUrl/)
  for (const url of ['http://0.0.0.0:8787', 'http://[::]:8787', 'http://10.0.0.7:8787']) {
    address.listening(url)
    expect(of).toThrow(expect.objectContaining({ status: 500, code: 'misconfigured' }) as Error)
  }
})
