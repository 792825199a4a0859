import { expect, test } from 'vitest'

import { startService } from './service.ts'

const count = { path: '/v1/messages/count_tokens' }
const none = { 'anthropic-version': undefined }

test('#2: a message needs a version, under either name', async () => {
  await using service = await startService()
  for (const path of ['/v1/messages', count.path]) {
    const response = await service.ask('messages', {}, { path, headers: none })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      type: 'error',
      error: { type: 'invalid_request_error', code: 400 },
    })
    expect(service.upstream.requests).toEqual([])
  }
  for (const name of ['anthropic-version', 'provider-version']) {
    for (const path of ['/v1/messages', count.path]) {
      const headers = { ...none, [name]: '2023-06-01' }
      expect((await service.ask('messages', {}, { path, headers })).status).toBe(200)
      expect(service.received().headers['anthropic-version']).toBe('2023-06-01')
      expect(service.received().headers['provider-version']).toBeUndefined()
    }
  }
})

test('#2: a blank version is none', async () => {
  await using service = await startService()
  const headers = { 'anthropic-version': ' ', 'provider-version': ' ' }
  const response = await service.ask('messages', {}, { headers })
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({
    error: { details: [{ code: 'missing_required_parameter', param: 'anthropic-version' }] },
  })
})

test('#3: any date is a version and goes to the account', async () => {
  await using service = await startService()
  for (const version of ['2023-06-01', '2026-10-21', '2031-01-01']) {
    for (const path of ['/v1/messages', count.path]) {
      const headers = { 'anthropic-version': version }
      expect((await service.ask('messages', {}, { path, headers })).status).toBe(200)
      expect(service.received().headers['anthropic-version']).toBe(version)
    }
  }
})

const noVersions = [
  'latest',
  'v1',
  '2023-6-1',
  '20230601',
  '2023-06-01T00:00:00Z',
  '2023-06-01, 2023-06-01',
  '2023-06-01-beta',
  '2023-13-01',
  '2023-02-30',
  '0',
]

test.each(noVersions)('#3: what is no date is no version: %s', async (version) => {
  await using service = await startService()
  for (const name of ['anthropic-version', 'provider-version']) {
    for (const path of ['/v1/messages', count.path]) {
      const headers = { ...none, [name]: version }
      const response = await service.ask('messages', {}, { path, headers })
      expect(response.status).toBe(400)
      const { error, ...rest } = (await response.json()) as { error: Record<string, unknown> }
      expect(rest).toMatchObject({ type: 'error', request_id: expect.any(String) as string })
      expect(error).toMatchObject({ type: 'invalid_request_error', code: 400 })
      expect(error.details).toMatchObject([{ code: 'invalid_value', param: name }])
      expect(error.message).toContain('YYYY-MM-DD')
    }
  }
  expect(service.upstream.requests).toEqual([])
})

test('#3: a date with blanks around it is a date', async () => {
  await using service = await startService()
  const headers = { 'anthropic-version': ' 2023-06-01\t' }
  expect((await service.ask('messages', {}, { headers })).status).toBe(200)
  expect(service.received().headers['anthropic-version']).toBe('2023-06-01')
})

const newest = { headers: { 'anthropic-version': '2026-10-21' } }

test.each(['temperature', 'top_p', 'top_k'])(
  '#4: %s is accepted from clients of every version',
  async (field) => {
    await using service = await startService()
    expect((await service.ask('messages', { [field]: 1 }, newest)).status).toBe(200)
    expect(service.received().headers['anthropic-version']).toBe('2023-06-01')
    expect(JSON.parse(service.received().body.toString())).toMatchObject({ [field]: 1 })
    expect((await service.ask('messages', { [field]: null }, newest)).status).toBe(200)
    expect(service.received().headers['anthropic-version']).toBe('2026-10-21')
  },
)

test('the beta query and the beta header go to the account', async () => {
  await using service = await startService()
  const headers = { 'anthropic-beta': 'a-2026-01-01,b-2026-02-02' }
  for (const path of ['/v1/messages?beta=true', '/v1/messages/count_tokens?beta=true']) {
    expect((await service.ask('messages', {}, { path, headers })).status).toBe(200)
    expect(service.received().url).toBe(path)
    expect(service.received().headers['anthropic-beta']).toBe('a-2026-01-01,b-2026-02-02')
  }
})

test('the other dialects need no version', async () => {
  await using service = await startService()
  for (const dialect of ['responses', 'chat', 'generate'] as const) {
    expect((await service.ask(dialect)).status).toBe(200)
    expect(service.received().headers['anthropic-version']).toBeUndefined()
  }
})
