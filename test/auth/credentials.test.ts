import { describe, expect, test } from 'vitest'

import { expectError, words } from '../errors/envelope.ts'
import { type DialectName, dialectNames } from '../requests/dialects.ts'
import { type PostOptions, startService } from '../requests/service.ts'

type Headers = NonNullable<PostOptions['headers']>

/** Takes the dialect's own credential out. */
const bare: Headers = {
  authorization: undefined,
  'x-api-key': undefined,
  'x-goog-api-key': undefined,
}

const forms: Record<string, (key: string) => Headers> = {
  bearer: (key) => ({ authorization: `Bearer ${key}` }),
  'x-api-key': (key) => ({ 'x-api-key': key }),
  'x-goog-api-key': (key) => ({ 'x-goog-api-key': key }),
}

const formNames = Object.keys(forms)

/** Which form decides where several are there. */
const order: Record<DialectName, readonly string[]> = {
  responses: ['bearer', 'x-api-key', 'x-goog-api-key'],
  chat: ['bearer', 'x-api-key', 'x-goog-api-key'],
  messages: ['x-api-key', 'bearer', 'x-goog-api-key'],
  generate: ['x-goog-api-key', 'x-api-key', 'bearer'],
}

const withForm = (name: string, key: string) => ({ ...forms[name]?.(key) })

describe.each(dialectNames)('C24 #1 %s', (dialect) => {
  test.each(formNames)('takes the key as %s', async (name) => {
    await using service = await startService()
    const headers = { ...bare, ...withForm(name, service.gateway.key) }
    expect((await service.ask(dialect, {}, { headers })).status).toBe(200)
    await expectError(
      dialect,
      await service.ask(dialect, {}, { headers: { ...bare, ...withForm(name, 'wrong') } }),
      401,
      words.authentication,
    )
  })

  test('lets the first form decide, even where a later one is right', async () => {
    await using service = await startService()
    const { key } = service.gateway
    const names = order[dialect]
    for (const [index, first] of names.entries()) {
      for (const later of names.slice(index + 1)) {
        const right = { ...bare, ...withForm(first, key), ...withForm(later, 'wrong') }
        expect((await service.ask(dialect, {}, { headers: right })).status).toBe(200)
        const wrong = { ...bare, ...withForm(first, 'wrong'), ...withForm(later, key) }
        expect((await service.ask(dialect, {}, { headers: wrong })).status).toBe(401)
      }
    }
  })
})

test('a Gemini client may give its key in the query', async () => {
  await using service = await startService()
  const { key } = service.gateway
  const at = (query: string, headers = bare) =>
    service.ask('generate', {}, { path: `/v1beta/models/m:generateContent?${query}`, headers })
  expect((await at(`key=${key}`)).status).toBe(200)
  expect((await at(`alt=json&key=${key}`)).status).toBe(200)
  await expectError('generate', await at('key=wrong'), 401, words.authentication)
  await expectError('generate', await at('key='), 401, words.authentication)
  await expectError('generate', await at(`monkey=${key}`), 401, words.authentication)
  // After the dialect's own header, before the others.
  expect((await at('key=wrong', { ...bare, 'x-goog-api-key': key })).status).toBe(200)
  expect((await at(`key=${key}`, { ...bare, 'x-goog-api-key': 'wrong' })).status).toBe(401)
})

test('no other path takes a key in the query', async () => {
  await using service = await startService()
  const { key, url } = service.gateway
  for (const dialect of ['responses', 'chat', 'messages'] as const) {
    const path = { responses: 'responses', chat: 'chat/completions', messages: 'messages' }[dialect]
    const options = { path: `/v1/${path}?key=${key}`, headers: bare }
    await expectError(dialect, await service.ask(dialect, {}, options), 401, words.authentication)
  }
  expect((await fetch(`${url}/v1/models?key=${key}`)).status).toBe(401)
  expect((await fetch(`${url}/v1beta/models?key=${key}`)).status).toBe(200)
})

test('the scheme of a bearer is read as HTTP has it, and other schemes are not ours', async () => {
  await using service = await startService()
  const { key } = service.gateway
  const status = async (authorization: string, more: Headers = {}) =>
    (await service.ask('chat', {}, { headers: { ...bare, authorization, ...more } })).status
  expect(await status(`bearer ${key}`)).toBe(200)
  expect(await status(`BEARER   ${key}`)).toBe(200)
  expect(await status(key)).toBe(401)
  expect(await status(`Basic ${Buffer.from(`x:${key}`).toString('base64')}`)).toBe(401)
  expect(await status('Basic eDp5', { 'x-api-key': key })).toBe(200)
  expect(await status(`Bearer ${key}x`)).toBe(401)
  expect(await status(`Bearer ${key.slice(0, -1)}`)).toBe(401)
})
