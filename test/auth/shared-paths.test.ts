import { expect, test } from 'vitest'

import { expectError, words } from '../errors/envelope.ts'
import { startService } from '../requests/service.ts'

const forms: Record<string, (key: string) => Record<string, string>> = {
  bearer: (key) => ({ authorization: `Bearer ${key}` }),
  'x-api-key': (key) => ({ 'x-api-key': key }),
  'x-goog-api-key': (key) => ({ 'x-goog-api-key': key }),
}

const lists = ['/v1/models', '/v1/models/m', '/v1beta/models', '/v1beta1/models/m']

test.each(Object.entries(forms))('C24 #1 every list of models takes %s', async (_, form) => {
  await using service = await startService()
  const { url, key } = service.gateway
  for (const path of lists) {
    expect((await fetch(url + path, { headers: form(key) })).status).toBe(200)
    expect((await fetch(url + path, { headers: form('wrong') })).status).toBe(401)
  }
})

const others = ['/v1/messages/count_tokens', '/v1beta/models/m:countTokens']

test.each(Object.entries(forms))('C24 #1 token counts take %s', async (_, form) => {
  await using service = await startService()
  const bare = { authorization: undefined, 'x-api-key': undefined, 'x-goog-api-key': undefined }
  for (const [index, path] of others.entries()) {
    const headers = { ...bare, ...form(service.gateway.key) }
    const dialect = index === 0 ? 'messages' : 'generate'
    expect((await service.ask(dialect, {}, { path, headers })).status).toBe(200)
  }
})

/** Who a client of `/v1/models` is can be told from its headers, or from the version in its path. */
test('a refusal on a shared path is told in the words of the client that asks', async () => {
  await using service = await startService()
  const refused = (path: string, headers: Record<string, string>) =>
    fetch(service.gateway.url + path, { headers })
  const versioned = { 'anthropic-version': '2023-06-01' }
  await expectError('messages', await refused('/v1/models', versioned), 401, words.authentication)
  const provider = { 'provider-version': '2023-06-01', authorization: 'Bearer wrong' }
  await expectError('messages', await refused('/v1/models/m', provider), 401, words.authentication)
  for (const headers of [{ 'x-goog-api-key': 'wrong' }, { 'x-goog-api-client': 'google-genai' }]) {
    await expectError('generate', await refused('/v1/models', headers), 401, words.authentication)
  }
  await expectError('generate', await refused('/v1beta/models', {}), 401, words.authentication)
  await expectError('chat', await refused('/v1/models', {}), 401, words.authentication)
})

test('the own header of the client that asks decides first', async () => {
  await using service = await startService()
  const { url, key } = service.gateway
  const status = async (headers: Record<string, string>) =>
    (await fetch(`${url}/v1/models`, { headers })).status
  const both = { authorization: `Bearer ${key}`, 'x-api-key': 'wrong' }
  expect(await status(both)).toBe(200)
  expect(await status({ ...both, 'anthropic-version': '2023-06-01' })).toBe(401)
  expect(await status({ authorization: 'Bearer wrong', 'x-goog-api-key': key })).toBe(200)
})
