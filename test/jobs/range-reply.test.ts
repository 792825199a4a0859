import { expect, test } from 'vitest'

import { rangeReply } from '../../src/jobs/content-headers.ts'

const bytes = Buffer.from('0123456789')
const ask = (method: string, headers: Record<string, string>) =>
  rangeReply(bytes, { method, headers })

test('a client gets the one range that it asks for', () => {
  const reply = ask('GET', { range: 'bytes=2-4' })
  expect(reply.status).toBe(206)
  expect(reply.body).toEqual(Buffer.from('234'))
  expect(reply.headers['content-range']).toBe('bytes 2-4/10')
})

test('HEAD describes the whole file, whatever range it names (RFC 9110, 14.2)', () => {
  const reply = ask('HEAD', { range: 'bytes=2-4' })
  expect(reply.status).toBe(200)
  expect(reply.headers).not.toHaveProperty('content-range')
})

test('a range of another version of the file is none', () => {
  expect(ask('GET', { range: 'bytes=2-4', 'if-range': '"etag"' }).status).toBe(200)
})

test('a range beyond the end is refused with the length of the file', () => {
  const reply = ask('GET', { range: 'bytes=10-' })
  expect([reply.status, reply.headers['content-range']]).toEqual([416, 'bytes */10'])
})
