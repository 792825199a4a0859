import { expect, test } from 'vitest'

import type { AccountConfig } from '../../src/configuration/config.generated.ts'
import { type DialectName, dialectNames } from '../requests/dialects.ts'
import { startService } from '../requests/service.ts'

const operationPaths: Record<DialectName, string> = {
  responses: '/v1/responses',
  chat: '/v1/chat/completions',
  messages: '/v1/messages',
  generate: '/v1beta/models/m:generateContent',
}

/** Calls of other dialects are translated, and go elsewhere. */
const ownEnd: Record<DialectName, string> = {
  responses: '/responses',
  chat: '/chat/completions',
  messages: '/messages',
  generate: ':generateContent',
}

/** Where an account with this base URL is asked, in each dialect that it is told to speak. */
async function askedAt(account: Partial<AccountConfig>, path: string) {
  await using service = await startService()
  const baseUrl = service.upstream.url + path
  const full = { id: 'a', provider: 'openai', models: ['m'], ...account, baseUrl }
  service.gateway.reload({ accounts: [full] })
  const asked: Partial<Record<DialectName, string>> = {}
  for (const dialect of dialectNames) {
    await service.ask(dialect)
    const { url } = service.received()
    if (url?.endsWith(ownEnd[dialect])) asked[dialect] = url
  }
  return asked
}

const { responses, chat, messages, generate } = operationPaths

test.each(['/v1', '/v1/'])('openai is given with its version: %s', async (path) => {
  expect(await askedAt({ provider: 'openai' }, path)).toEqual({ responses, chat })
})

test.each(['', '/'])('anthropic and gemini are bare: "%s"', async (path) => {
  expect(await askedAt({ provider: 'anthropic' }, path)).toEqual({ messages })
  expect(await askedAt({ provider: 'gemini' }, path)).toEqual({ generate })
  expect(await askedAt({ provider: 'sandbox' }, path)).toEqual(operationPaths)
})

test('a base URL may have a path of its own', async () => {
  expect(await askedAt({ provider: 'openai' }, '/proxy/openai/v1')).toEqual({
    responses: `/proxy/openai${responses}`,
    chat: `/proxy/openai${chat}`,
  })
  expect(await askedAt({ provider: 'anthropic' }, '/proxy/')).toEqual({
    messages: `/proxy${messages}`,
  })
})

test('an openai-compatible base URL may have no version, or one of its own', async () => {
  const provider = 'openai-compatible'
  expect(await askedAt({ provider }, '/api/v3')).toEqual({ chat: '/api/v3/chat/completions' })
  expect(await askedAt({ provider }, '/openai')).toEqual({ chat: '/openai/chat/completions' })
})

test('speaks says what an account speaks, whatever its provider', async () => {
  expect(await askedAt({ speaks: ['chat'] }, '/v1')).toEqual({ chat })
  expect(await askedAt({ provider: 'openai-compatible', speaks: ['responses'] }, '/v1')).toEqual({
    responses,
  })
})

test('dialects that are given bare stand beside the version of the others', async () => {
  const speaks = ['chat', 'messages', 'generate']
  expect(await askedAt({ speaks }, '/v1')).toEqual({ chat, messages, generate })
  expect(await askedAt({ provider: 'anthropic', speaks }, '')).toEqual({ chat, messages, generate })
})

test('every dialect has its own form of credential, whatever the provider', async () => {
  await using service = await startService()
  const account = { id: 'a', provider: 'sandbox', baseUrl: service.upstream.url, models: ['m'] }
  service.gateway.reload({ accounts: [{ ...account, apiKey: 'account-key' }] })
  const sent: Partial<Record<DialectName, string[]>> = {}
  for (const dialect of dialectNames) {
    expect((await service.ask(dialect)).status).toBe(200)
    const { headers } = service.received()
    sent[dialect] = Object.keys(headers).filter((name) => headers[name]?.includes('account-key'))
  }
  expect(sent).toEqual({
    responses: ['authorization'],
    chat: ['authorization'],
    messages: ['x-api-key'],
    generate: ['x-goog-api-key'],
  })
})

test('an account without a key is asked without one', async () => {
  await using service = await startService()
  const baseUrl = `${service.upstream.url}/v1`
  const account = { id: 'a', provider: 'openai-compatible', baseUrl, models: ['m'] }
  service.gateway.reload({ accounts: [account] })
  expect((await service.ask('chat')).status).toBe(200)
  expect(service.received().headers).not.toHaveProperty('authorization')
})
