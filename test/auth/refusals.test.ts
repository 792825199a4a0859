import { describe, expect, test, vi } from 'vitest'

import { expectError, words } from '../errors/envelope.ts'
import { type DialectName, dialectNames } from '../requests/dialects.ts'
import { type Service, startService } from '../requests/service.ts'

const keys = [
  { id: 'good', secret: 'good-secret' },
  { id: 'expired', secret: 'expired-secret', expiresAt: '2020-01-01T00:00:00Z' },
  { id: 'disabled', secret: 'disabled-secret', disabled: true },
]

const bare = { authorization: undefined, 'x-api-key': undefined, 'x-goog-api-key': undefined }

describe.each(dialectNames)('%s', (dialect) => {
  test('an unknown, expired and disabled key all get the same answer', async () => {
    await using service = await startService({ keys })
    const refused = (secret?: string) => refusal(service, dialect, secret)
    const unknown = await refused('nobody-has-this')
    expect(await refused('expired-secret')).toEqual(unknown)
    expect(await refused('disabled-secret')).toEqual(unknown)
    const missing = await refused()
    expect(missing.shown.length).toBe(unknown.shown.length)
    expect(missing.body).not.toEqual(unknown.body)
    expect(service.upstream.requests).toEqual([])
    const good = { ...bare, authorization: 'Bearer good-secret' }
    expect((await service.ask(dialect, {}, { headers: good })).status).toBe(200)
  })
})

/** All that a client sees of a refusal, but for what differs from request to request. */
async function refusal(service: Service, dialect: DialectName, secret: string | undefined) {
  const headers = { ...bare, ...(secret && { authorization: `Bearer ${secret}` }) }
  const response = await service.ask(dialect, {}, { headers })
  const shown = [...response.headers].filter(([name]) => !/^(date|(x-)?request-id)$/.test(name))
  const { request_id: _, ...body } = await expectError(dialect, response, 401, words.authentication)
  return { shown, body }
}

test('a key that expires is refused from that moment on', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-01-01T00:00:00Z') })
  try {
    const key = { id: 'k', secret: 'test-secret', expiresAt: '2026-01-01T02:00:00+01:00' }
    await using service = await startService({ keys: [key] })
    vi.setSystemTime(new Date('2026-01-01T00:59:59.999Z'))
    expect((await service.ask('chat')).status).toBe(200)
    vi.setSystemTime(new Date('2026-01-01T01:00:00Z'))
    expect((await service.ask('chat')).status).toBe(401)
  } finally {
    vi.useRealTimers()
  }
})

test('a hash in the configuration lets in who has its secret', async () => {
  const hash = 'sha256:f52fbd32b2b3b86ff88ef6c490628285f482af15ddcb29541f94bcf526a3f6c7'
  await using service = await startService({ keys: [{ id: 'k', hash }] })
  const status = async (secret: string) =>
    (await service.ask('chat', {}, { headers: { authorization: `Bearer ${secret}` } })).status
  expect(await status('hunter2')).toBe(200)
  expect(await status(hash)).toBe(401)
  expect(await status(hash.slice('sha256:'.length))).toBe(401)
})

test('nobody is let in where there is no key', async () => {
  await using service = await startService({ keys: [] })
  expect((await service.ask('chat')).status).toBe(401)
  expect((await service.ask('chat', {}, { headers: { authorization: 'Bearer ' } })).status).toBe(
    401,
  )
})

test('a refusal comes before anything is said about body, version or model', async () => {
  await using service = await startService()
  const headers = { ...bare, 'anthropic-version': undefined }
  expect((await service.post('messages', 'no json', { headers })).status).toBe(401)
  expect((await service.ask('chat', { model: '' }, { headers })).status).toBe(401)
})
