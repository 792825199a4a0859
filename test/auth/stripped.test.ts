import { describe, expect, test } from 'vitest'

import { type DialectName, dialectNames, dialects } from '../requests/dialects.ts'
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

/** What nobody needs, and what changes what an account understands or answers with. */
const unasked = [
  'accept-language',
  'x-custom',
  'x-http-method-override',
  'x-method-override',
  'x-original-url',
  'x-rewrite-url',
  'x-host',
  'remote-user',
  'x-remote-user',
  'ssl-client-verify',
  'x-ssl-client-cert',
  'range',
  'if-range',
  'if-match',
  'if-none-match',
  'if-modified-since',
  'if-unmodified-since',
  'cache-control',
  'pragma',
  'prefer',
  'x-goog-fieldmask',
  'x-goog-request-params',
  'x-goog-authenticated-user-email',
  'x-gemini-api-privileged-user-id',
  'x-amzn-trace-id',
  'x-title',
  'http-referer',
  'accept-charset',
  'from',
  'origin',
  'referer',
  'anthropic-organization-id',
  'x-codex-api-key',
  'x-stainless-token',
]

/** Headers of SDKs and coding agents that accounts of every dialect get. */
const shared = [
  'user-agent',
  'x-stainless-lang',
  'x-stainless-retry-count',
  'x-stainless-helper-method',
  'x-client-request-id',
  'idempotency-key',
  'session-id',
  'session_id',
  'x-session-id',
  'x-session-affinity',
  'x-sandbox',
]

const openAi = ['openai-beta', 'originator', 'version', 'x-codex-beta-features']

const ofDialect: Record<DialectName, string[]> = {
  responses: openAi,
  chat: openAi,
  messages: [
    'anthropic-beta',
    'anthropic-dangerous-direct-browser-access',
    'x-app',
    'x-claude-code-session-id',
  ],
  generate: ['x-goog-api-client', 'x-server-timeout'],
}

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

  test('what SDKs of the dialect send goes to the account, and what others send does not', async () => {
    await using service = await startService()
    // `idempotency-key` goes to the account with another value.
    const named = [...shared, ...ofDialect[dialect]].filter((name) => name !== 'idempotency-key')
    const others = Object.values(ofDialect).flat()
    const all = [...shared, ...others, ...unasked]
    const headers = Object.fromEntries(all.map((name) => [name, `${name} value`]))
    expect((await service.ask(dialect, {}, { headers })).status).toBe(200)
    const sent = Object.entries(service.received().headers)
    const passed = sent.filter(([name, value]) => value === `${name} value`).map(([name]) => name)
    expect(passed.toSorted()).toEqual(named.toSorted())
  })

  test('an idempotency key of one key of the gateway is never that of another', async () => {
    const ids = ['one', 'two']
    await using service = await startService({ keys: ids.map((id) => ({ id, secret: id })) })
    const sent: unknown[] = []
    for (const id of ['one', 'one', 'two']) {
      const headers = { ...dialects[dialect].credential(id), 'idempotency-key': 'order-7' }
      expect((await service.ask(dialect, {}, { headers })).status).toBe(200)
      sent.push(service.received().headers['idempotency-key'])
    }
    const [first, again, other] = sent
    expect(first).toMatch(/^[\da-f]{64}$/)
    expect(again).toBe(first)
    expect(other).not.toBe(first)
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
