import { describe, expect, test } from 'vitest'

import { type DialectName, dialectNames } from '../requests/dialects.ts'
import { startService, upstreamSecret } from '../requests/service.ts'

const canary = 'client-canary'

/** Headers that say who the client is, or let somebody act in its name. */
const own = {
  credentials: [
    'api-key',
    'api_key',
    'x-auth-token',
    'x-auth-key',
    'x-access-token',
    'x-csrf-token',
    'x-acme-secret',
    'x-client-secret',
    'x-password',
    'my-credentials',
    'proxy-authorization',
    'x-amz-security-token',
    'cf-access-client-secret',
    'x-portkey-api-key',
    'ocp-apim-subscription-key',
    'x-functions-key',
  ],
  traces: [
    'cookie',
    'baggage',
    'traceparent',
    'tracestate',
    'forwarded',
    'x-forwarded-for',
    'x-forwarded-host',
    'x-forwarded-proto',
    'x-forwarded-user',
    'x-real-ip',
    'true-client-ip',
    'cf-connecting-ip',
    'via',
    'x-dragoman-explain',
    'x-request-id',
  ],
  organisations: [
    'openai-organization',
    'openai-project',
    'anthropic-workspace-id',
    'anthropic-user-profile-id',
    'x-goog-user-project',
  ],
}

const harmless = [
  'user-agent',
  'anthropic-beta',
  'anthropic-dangerous-direct-browser-access',
  'openai-beta',
  'x-stainless-lang',
  'x-stainless-retry-count',
  'x-stainless-helper-method',
  'x-goog-api-client',
  'x-server-timeout',
  'idempotency-key',
  'accept-language',
  'x-custom',
]

const ownForm: Record<DialectName, [string, string]> = {
  responses: ['authorization', `Bearer ${upstreamSecret}`],
  chat: ['authorization', `Bearer ${upstreamSecret}`],
  messages: ['x-api-key', upstreamSecret],
  generate: ['x-goog-api-key', upstreamSecret],
}

describe.each(dialectNames)('%s', (dialect) => {
  test.each(Object.entries(own))('%s of the client stay here', async (_, names) => {
    await using service = await startService()
    const headers = Object.fromEntries(names.map((name) => [name, canary]))
    expect((await service.ask(dialect, {}, { headers })).status).toBe(200)
    const { headers: sent, url } = service.received()
    expect(names.filter((name) => sent[name]?.includes(canary))).toEqual([])
    expect(JSON.stringify([sent, url])).not.toContain(canary)
  })

  test('what is harmless goes to the account', async () => {
    await using service = await startService()
    const headers = Object.fromEntries(harmless.map((name) => [name, `${name} value`]))
    expect((await service.ask(dialect, {}, { headers })).status).toBe(200)
    expect(service.received().headers).toMatchObject(headers)
  })

  test('the account gets its own credential and none of the client’s', async () => {
    await using service = await startService()
    const { key } = service.gateway
    const all = { authorization: `Bearer ${key}`, 'x-api-key': key, 'x-goog-api-key': key }
    expect((await service.ask(dialect, {}, { headers: all })).status).toBe(200)
    const { headers, url, body } = service.received()
    expect(JSON.stringify([headers, url, body.toString()])).not.toContain(key)
    const sent = Object.entries(headers).filter(([, value]) => value?.includes(upstreamSecret))
    expect(sent).toEqual([ownForm[dialect]])
  })
})
