import { writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'

import type { AccountConfig } from '../../src/configuration/config.generated.ts'
import {
  type Answer,
  answerJson,
  answerStream,
  startFakeAccount,
} from '../../src/testing/fake-account.ts'
import { createTestGateway } from '../../src/testing/gateway.ts'
import { until } from '../../src/testing/until.ts'
import { type DialectName, dialects } from '../requests/dialects.ts'

/** A gateway with one account at Azure, whose server answers this. */
async function startScene(account: Partial<AccountConfig>, answer?: Answer) {
  await using starting = new AsyncDisposableStack()
  const upstream = starting.use(await startFakeAccount(answer ?? answerAs))
  const azure = { id: 'a', provider: 'azure', baseUrl: upstream.url, models: ['m'] }
  const gateway = starting.use(await createTestGateway({ accounts: [{ ...azure, ...account }] }))
  const started = starting.move()
  return {
    gateway,
    upstream,
    async ask(name: DialectName, fields: object = {}) {
      const { path, credential, request } = dialects[name]
      return await fetch(gateway.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...credential(gateway.key) },
        body: JSON.stringify({ ...request, ...fields }),
      })
    },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}

const answerAs: Answer = (response, request) => {
  const name = (['responses', 'messages'] as const).find((one) => request.url.includes(`/${one}`))
  return answerJson(dialects[name ?? 'chat'].reply)(response, request)
}

test('the v1 API has the key in its own header, and deployments as models', async () => {
  await using scene = await startScene({ apiKey: 'key-of-azure', models: { m: 'my deployment' } })
  expect((await scene.ask('chat')).status).toBe(200)
  expect((await scene.ask('responses')).status).toBe(200)
  expect((await scene.ask('messages')).status).toBe(200)
  expect(scene.upstream.requests.map(({ url }) => url)).toEqual([
    '/openai/v1/chat/completions',
    '/openai/v1/responses',
    '/openai/v1/responses',
  ])
  for (const { headers, body } of scene.upstream.requests) {
    expect(headers['api-key']).toBe('key-of-azure')
    expect(headers).not.toHaveProperty('authorization')
    expect(JSON.parse(body.toString())).toMatchObject({ model: 'my deployment' })
  }
})

test('a dated API has its version in the query, and the deployment in the path', async () => {
  await using scene = await startScene({
    apiKey: 'key-of-azure',
    apiVersion: '2024-10-21',
    models: { m: 'dep one' },
  })
  await scene.ask('chat')
  await scene.ask('responses')
  await fetch(`${scene.gateway.url}/v1/images/generations`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${scene.gateway.key}`,
    },
    body: JSON.stringify({ model: 'm', prompt: 'a cat' }),
  })
  await fetch(`${scene.gateway.url}/v1/embeddings`, {
    method: 'POST',
    headers: { authorization: `Bearer ${scene.gateway.key}` },
    body: JSON.stringify({ model: 'm', input: 'a cat' }),
  })
  expect(scene.upstream.requests.map(({ url }) => url)).toEqual([
    '/openai/deployments/dep%20one/chat/completions?api-version=2024-10-21',
    '/openai/responses?api-version=2024-10-21',
    '/openai/deployments/dep%20one/images/generations?api-version=2024-10-21',
    '/openai/deployments/dep%20one/embeddings?api-version=2024-10-21',
  ])
})

test('Claude at Foundry has its own root and header, for accounts that say so', async () => {
  await using scene = await startScene({ apiKey: 'key-of-azure', speaks: ['messages'] })
  expect((await scene.ask('messages')).status).toBe(200)
  expect((await scene.ask('chat')).status).toBe(200)
  for (const { url, headers } of scene.upstream.requests) {
    expect(url).toBe('/anthropic/v1/messages')
    expect(headers).toMatchObject({
      'x-api-key': 'key-of-azure',
      'anthropic-version': '2023-06-01',
    })
    expect(headers).not.toHaveProperty('api-key')
  }
})

/** Answers with tokens, and notes what was asked for. */
async function startTokens() {
  return await startFakeAccount((response, request) =>
    answerJson({ access_token: 'entra-token-of-the-test', expires_in: '3600', expires_on: '9' })(
      response,
      request,
    ),
  )
}

test('an application of Entra gets a token with its secret', async () => {
  await using tokens = await startTokens()
  const entra = { tenantId: 't-1', clientId: 'c-1', clientSecret: 's-1', authority: tokens.url }
  await using scene = await startScene({ entra })
  expect((await scene.ask('chat')).status).toBe(200)
  expect(scene.upstream.requests[0]?.headers).toMatchObject({
    authorization: 'Bearer entra-token-of-the-test',
  })
  expect(scene.upstream.requests[0]?.headers).not.toHaveProperty('api-key')
  const [request] = tokens.requests
  expect(request?.url).toBe('/t-1/oauth2/v2.0/token')
  expect(Object.fromEntries(new URLSearchParams(request?.body.toString()))).toEqual({
    grant_type: 'client_credentials',
    client_id: 'c-1',
    client_secret: 's-1',
    scope: 'https://cognitiveservices.azure.com/.default',
  })
})

test('a federated token is read of its file each time, and never sent to the account', async () => {
  await using tokens = await startFakeAccount(
    answerJson({ access_token: 'entra-token-of-the-test', expires_in: 0.05 }),
  )
  const file = join(await mkdtemp(join(tmpdir(), 'federated-')), 'token')
  writeFileSync(file, 'assertion-of-kubernetes\n')
  const federated = { tenantId: 't-1', clientId: 'c-1', federatedTokenFile: file }
  await using scene = await startScene({ entra: { ...federated, authority: tokens.url } })
  expect((await scene.ask('chat')).status).toBe(200)
  const form = new URLSearchParams(tokens.requests[0]?.body.toString())
  expect(form.get('client_assertion')).toBe('assertion-of-kubernetes')
  expect(form.get('client_assertion_type')).toContain('jwt-bearer')
  expect(JSON.stringify(scene.upstream.requests[0]?.headers)).not.toContain('assertion')
  // Kubernetes writes a new one before the last one ends.
  writeFileSync(file, 'assertion-that-follows')
  await until(async () => {
    expect((await scene.ask('chat')).status).toBe(200)
    return tokens.requests.some(({ body }) => body.includes('assertion-that-follows'))
  })
})

test('the identity of a machine has a token of its metadata address', async () => {
  await using tokens = await startTokens()
  process.env['AZURE_POD_IDENTITY_AUTHORITY_HOST'] = tokens.url
  try {
    await using scene = await startScene({ entra: { managedIdentity: true, clientId: 'c-2' } })
    expect((await scene.ask('chat')).status).toBe(200)
    const [request] = tokens.requests
    expect(request?.headers['metadata']).toBe('true')
    expect(request?.url).toBe(
      '/metadata/identity/oauth2/token?api-version=2018-02-01&resource=https%3A%2F%2Fcognitiveservices.azure.com&client_id=c-2',
    )
  } finally {
    delete process.env['AZURE_POD_IDENTITY_AUTHORITY_HOST']
  }
})

test('the identity of an app has a token of its own endpoint, whose end is a time', async () => {
  const until = Math.floor(Date.now() / 1_000) + 3_600
  await using tokens = await startFakeAccount(
    answerJson({ access_token: 'entra-token-of-the-app', expires_on: String(until) }),
  )
  vi.stubEnv('IDENTITY_ENDPOINT', `${tokens.url}/msi/token`)
  vi.stubEnv('IDENTITY_HEADER', 'header-of-the-app')
  onTestFinished(() => void vi.unstubAllEnvs())
  await using scene = await startScene({ entra: { managedIdentity: true } })
  expect((await scene.ask('chat')).status).toBe(200)
  expect((await scene.ask('chat')).status).toBe(200)
  expect(tokens.requests).toHaveLength(1)
  expect(tokens.requests[0]).toMatchObject({
    url: '/msi/token?api-version=2019-08-01&resource=https%3A%2F%2Fcognitiveservices.azure.com',
    headers: { 'x-identity-header': 'header-of-the-app' },
  })
  expect(scene.upstream.requests[0]?.headers.authorization).toBe('Bearer entra-token-of-the-app')
})

test.each([
  [
    'an application',
    { tenantId: 't-1', clientId: 'c-1', clientSecret: 's-1' },
    401,
    { error: 'invalid_client', error_description: 'AADSTS7000222: The secret has expired.' },
    /^Microsoft Entra \(127\.0\.0\.1:\d+\) refuses a token with the status 401 \(AADSTS7000222\)/,
    'check tenantId and clientId of entra, and whether the client secret has ended',
  ],
  [
    'a machine',
    { managedIdentity: true },
    400,
    { error: 'invalid_request', error_description: 'Identity not found' },
    /^The managed identity of this machine refuses a token with the status 400 \(invalid_request\)/,
    'give this machine an identity, and clientId of entra if it has several',
  ],
] as const)(
  'a refused token of %s says which step failed, and what to do',
  async (_, entra, status, body, reason, fix) => {
    await using tokens = await startFakeAccount(answerJson(body, { status }))
    vi.stubEnv('AZURE_POD_IDENTITY_AUTHORITY_HOST', tokens.url)
    onTestFinished(() => void vi.unstubAllEnvs())
    const authority = 'tenantId' in entra && { authority: tokens.url }
    await using scene = await startScene({ entra: { ...entra, ...authority } })
    expect((await scene.ask('chat')).status).toBe(502)
    const line = scene.gateway.log.find(({ msg }) => String(msg).includes('cannot be renewed'))
    expect(line).toMatchObject({ kind: 'refused', fix })
    expect(line?.['reason']).toMatch(reason)
    expect(JSON.stringify(scene.gateway.log)).not.toContain('s-1')
  },
)

test('a limit that Azure reports rests its deployment alone, and shows clients nothing of the account', async () => {
  const error = { code: 'RateLimitReached', message: 'Requests have exceeded the limit.' }
  const headers = {
    'retry-after-ms': '700',
    'x-ratelimit-remaining-requests': '9',
    'x-ratelimit-remaining-tokens': '1000',
    'apim-request-id': 'id-at-azure',
  }
  await using scene = await startScene({ apiKey: 'k', models: ['m', 'n'] }, (response, request) => {
    const isLimited = JSON.parse(request.body.toString()).model === 'm'
    return isLimited
      ? answerJson({ error }, { status: 429, headers })(response, request)
      : answerAs(response, request)
  })
  const reply = await scene.ask('chat')
  expect(reply.status).toBe(429)
  expect(reply.headers.get('retry-after-ms')).toBe('700')
  expect(reply.headers.get('x-ratelimit-remaining-tokens')).toBeNull()
  expect((await scene.ask('chat')).status).toBe(429)
  expect(scene.upstream.requests).toHaveLength(1)
  expect((await scene.ask('chat', { model: 'n' })).status).toBe(200)
})

const filtered = { hate: { filtered: true, severity: 'high' } }

test('a prompt that the content filter blocks is the fault of its caller alone', async () => {
  const error = {
    code: 'content_filter',
    message: 'The response was filtered.',
    param: 'prompt',
    type: null,
    status: 400,
    innererror: { code: 'ResponsibleAIPolicyViolation', content_filter_result: filtered },
  }
  await using scene = await startScene({ apiKey: 'k' }, answerJson({ error }, { status: 400 }))
  for (let call = 0; call < 7; call++) {
    const reply = await scene.ask('chat')
    expect(reply.status).toBe(400)
    expect(await reply.text()).toContain('content_filter')
  }
  expect((await scene.ask('messages')).status).toBe(400)
  expect(scene.upstream.requests).toHaveLength(8)
})

const chunk = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'm' }
const chunks = [
  {
    id: '',
    object: '',
    created: 0,
    model: '',
    choices: [],
    prompt_filter_results: [{ prompt_index: 0, content_filter_results: {} }],
  },
  {
    ...chunk,
    choices: [
      {
        index: 0,
        delta: { role: 'assistant', content: 'Hel' },
        finish_reason: null,
        content_filter_results: {},
      },
    ],
  },
  {
    ...chunk,
    choices: [
      { index: 0, delta: {}, finish_reason: 'content_filter', content_filter_results: filtered },
    ],
  },
  { ...chunk, choices: [], usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } },
]
const frames = [...chunks.map((one) => `data: ${JSON.stringify(one)}\n\n`), 'data: [DONE]\n\n']

test('a filtered stream passes natively, and other dialects read a refusal', async () => {
  await using scene = await startScene({ apiKey: 'k', speaks: ['chat'] }, answerStream(frames))
  const native = await (
    await scene.ask('chat', { stream: true, stream_options: { include_usage: true } })
  ).text()
  expect(native).toBe(frames.join(''))
  const translated = await (await scene.ask('messages', { stream: true })).text()
  expect(translated).toContain('"stop_reason":"refusal"')
  expect(translated).toContain('message_stop')
  const responses = await (await scene.ask('responses', { stream: true })).text()
  expect(responses).toContain('"reason":"content_filter"')
  const { path, credential, request } = dialects.generate
  const gemini = await fetch(
    scene.gateway.url + path.replace(':generateContent', ':streamGenerateContent?alt=sse'),
    {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...credential(scene.gateway.key) },
      body: JSON.stringify(request),
    },
  )
  expect(await gemini.text()).toContain('"finishReason":"SAFETY"')
})

test('settings that a provider does not take, and two credentials, are named', () => {
  const accounts = [{ id: 'a', provider: 'openai', models: ['m'], apiVersion: '2024-10-21' }]
  return expect(createTestGateway({ accounts })).rejects.toThrow(
    /accounts\[0\]\.apiVersion\s+provider "openai" takes none/,
  )
})

test('an account has one credential', async () => {
  const entra = { tenantId: 't', clientId: 'c', clientSecret: 's' }
  await expect(startScene({ apiKey: 'k', entra })).rejects.toThrow('accounts[0].entra')
  await expect(startScene({ entra: { tenantId: 't', clientId: 'c' } })).rejects.toThrow(
    'needs one of clientSecret, federatedTokenFile and managedIdentity',
  )
})
