import { createVerify, generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import type { AccountConfig } from '../../src/configuration/config.generated.ts'
import { type Answer, answerJson, startFakeAccount } from '../../src/testing/fake-account.ts'
import { createTestGateway } from '../../src/testing/gateway.ts'
import { type DialectName, dialects } from '../requests/dialects.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })

/** The file of a service account whose tokens a server issues. */
function serviceAccountAt(tokensUrl: string): string {
  return JSON.stringify({
    type: 'service_account',
    project_id: 'p',
    private_key_id: 'k',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    client_email: 'gateway@p.iam.gserviceaccount.com',
    token_uri: `${tokensUrl}/token`,
  })
}

/** A gateway with one account at Vertex AI, a server of tokens, and the file of a service account. */
async function startScene(account: Partial<AccountConfig> = {}, answer?: Answer) {
  await using starting = new AsyncDisposableStack()
  const upstream = starting.use(
    await startFakeAccount((response, request) => {
      if (answer) return answer(response, request)
      const name = request.url.includes('anthropic')
        ? 'messages'
        : request.url.includes('openapi')
          ? 'chat'
          : 'generate'
      const reply = request.url.includes('count-tokens')
        ? { input_tokens: 5 }
        : request.url.includes('countTokens')
          ? { totalTokens: 5 }
          : dialects[name].reply
      return answerJson(reply)(response, request)
    }),
  )
  const tokens = starting.use(
    await startFakeAccount(
      answerJson({
        access_token: 'token-of-google-cloud',
        expires_in: 3_600,
        token_type: 'Bearer',
      }),
    ),
  )
  const file = join(await mkdtemp(join(tmpdir(), 'google-')), 'account.json')
  writeFileSync(file, serviceAccountAt(tokens.url))
  const gateway = starting.use(
    await createTestGateway({
      accounts: [
        {
          id: 'a',
          provider: 'vertex',
          project: 'my-project',
          location: 'europe-west4',
          baseUrl: upstream.url,
          googleAuth: { file },
          models: ['gemini-x', 'claude-x@20260101', 'google/gemini-x'],
          ...account,
        },
      ],
    }),
  )
  const started = starting.move()
  return {
    gateway,
    upstream,
    tokens,
    async ask(
      name: DialectName,
      model: string,
      options: { path?: string; fields?: object; headers?: Record<string, string> } = {},
    ) {
      const { path, credential, request } = dialects[name]
      const own = options.path ?? path
      const isInPath = name === 'generate'
      return await fetch(gateway.url + (isInPath ? own.replace('/m:', `/${model}:`) : own), {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...credential(gateway.key),
          ...options.headers,
        },
        body: JSON.stringify({ ...request, ...(!isInPath && { model }), ...options.fields }),
      })
    },
    last: () => {
      const request = upstream.requests.at(-1)!
      const sent = JSON.parse(request.body.toString()) as Record<string, unknown>
      return { url: request.url, headers: request.headers, sent }
    },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}

const place = '/projects/my-project/locations/europe-west4'

test('each model is asked in the dialect of its publisher, whatever the client speaks', async () => {
  await using scene = await startScene()
  for (const name of ['generate', 'messages', 'chat', 'responses'] as const) {
    expect((await scene.ask(name, 'gemini-x')).status, name).toBe(200)
    expect(scene.last().url).toBe(
      `/v1beta1${place}/publishers/google/models/gemini-x:generateContent`,
    )
    expect((await scene.ask(name, 'claude-x@20260101')).status, name).toBe(200)
    expect(scene.last().url).toBe(
      `/v1${place}/publishers/anthropic/models/claude-x@20260101:rawPredict`,
    )
    expect((await scene.ask(name, 'google%2Fgemini-x'.replace('%2F', '/'))).status, name).toBe(200)
    expect(scene.last().url).toBe(`/v1${place}/endpoints/openapi/chat/completions`)
  }
  for (const { headers } of scene.upstream.requests)
    expect(headers.authorization).toBe('Bearer token-of-google-cloud')
  expect(scene.tokens.requests).toHaveLength(1)
})

test('Claude has its model in the path and the version of the account in the body', async () => {
  await using scene = await startScene()
  await scene.ask('messages', 'claude-x@20260101', {
    fields: { anthropic_version: '2026-10-21' },
  })
  expect(scene.last().sent).toEqual({
    max_tokens: 10,
    messages: dialects.messages.request.messages,
    anthropic_version: 'vertex-2023-10-16',
  })
  expect(scene.last().headers).not.toHaveProperty('anthropic-version')
  await scene.ask('messages', 'claude-x@20260101', { path: '/v1/messages/count_tokens' })
  expect(scene.last()).toMatchObject({
    url: `/v1${place}/publishers/anthropic/models/count-tokens:rawPredict`,
    sent: { model: 'claude-x@20260101', anthropic_version: 'vertex-2023-10-16' },
  })
  await scene.ask('messages', 'claude-x@20260101', { fields: { stream: true } })
  expect(scene.last()).toMatchObject({
    url: `/v1${place}/publishers/anthropic/models/claude-x@20260101:streamRawPredict`,
    sent: { stream: true },
  })
})

test('a service account signs an assertion for the address of its file', async () => {
  await using scene = await startScene()
  await scene.ask('generate', 'gemini-x')
  const form = new URLSearchParams(scene.tokens.requests[0]?.body.toString())
  const [head = '', claims = '', signature = ''] = (form.get('assertion') ?? '').split('.')
  const verifier = createVerify('RSA-SHA256').update(`${head}.${claims}`)
  expect(verifier.verify(publicKey, signature, 'base64url')).toBe(true)
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
    iss: 'gateway@p.iam.gserviceaccount.com',
    scope: 'https://www.googleapis.com/auth/cloud-platform',
  })
})

test('a key of the express mode needs no project', async () => {
  await using express = await startFakeAccount(answerJson(dialects.generate.reply))
  await using gateway = await createTestGateway({
    accounts: [
      {
        id: 'a',
        provider: 'vertex',
        baseUrl: express.url,
        apiKey: 'express-key',
        models: ['gemini-x'],
      },
    ],
  })
  const { path, credential, request } = dialects.generate
  const reply = await fetch(gateway.url + path.replace('/m:', '/gemini-x:'), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...credential(gateway.key) },
    body: JSON.stringify(request),
  })
  expect(reply.status).toBe(200)
  expect(express.requests[0]?.url).toBe(
    '/v1beta1/publishers/google/models/gemini-x:generateContent',
  )
  expect(express.requests[0]?.headers['x-goog-api-key']).toBe('express-key')
})

test('betas of a client stay a header, and an account has a version of its own', async () => {
  await using scene = await startScene({ anthropicVersion: 'vertex-2026-01-01' })
  await scene.ask('messages', 'claude-x@20260101', {
    headers: { 'anthropic-beta': 'context-1m-2025-08-07', 'anthropic-version': '2023-06-01' },
  })
  expect(scene.last().headers['anthropic-beta']).toBe('context-1m-2025-08-07')
  expect(scene.last().headers).not.toHaveProperty('anthropic-version')
  expect(scene.last().sent).toMatchObject({ anthropic_version: 'vertex-2026-01-01' })
})

test('OpenAI’s models have their Responses API, for accounts that name it', async () => {
  await using scene = await startScene(
    { speaks: ['responses'], models: ['gpt-x'] },
    answerJson(dialects.responses.reply),
  )
  expect((await scene.ask('responses', 'gpt-x')).status).toBe(200)
  expect((await scene.ask('chat', 'gpt-x')).status).toBe(200)
  for (const { url, headers } of scene.upstream.requests) {
    expect(url).toBe(`/v1${place}/publishers/openai/v1/responses`)
    expect(headers.authorization).toBe('Bearer token-of-google-cloud')
  }
})

test.each([
  [undefined, 'https://aiplatform.googleapis.com'],
  ['global', 'https://aiplatform.googleapis.com'],
  ['europe-west4', 'https://europe-west4-aiplatform.googleapis.com'],
  ['us', 'https://aiplatform.us.rep.googleapis.com'],
  ['eu', 'https://aiplatform.eu.rep.googleapis.com'],
])('the location %s has the host %s', async (location, host) => {
  await using gateway = await createTestGateway({
    admin: true,
    accounts: [
      {
        id: 'a',
        provider: 'vertex',
        project: 'p',
        models: ['gemini-x'],
        ...(location && { location }),
      },
    ],
  })
  const { data } = await gateway.admin!.ask('{ account(id: "a") { baseUrl } }')
  expect(data).toEqual({ account: { baseUrl: host } })
})

const ofGoogle = (code: number, status: string, message: string) => ({
  error: { code, message, status, details: [] },
})

test.each([
  [
    'the quota of Google',
    429,
    ofGoogle(429, 'RESOURCE_EXHAUSTED', 'Resource exhausted, please try again later.'),
    [429, 'rate_limit_error', 'Resource exhausted'],
  ],
  [
    'the quota of Google in a list',
    429,
    [ofGoogle(429, 'RESOURCE_EXHAUSTED', 'Resource exhausted, please try again later.')],
    [429, 'rate_limit_error', 'Resource exhausted'],
  ],
  [
    'an overload in the words of the vendor',
    529,
    { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
    [529, 'overloaded_error', 'Overloaded'],
  ],
  [
    'a wrong request in the words of the vendor',
    400,
    {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'messages: at least one message' },
    },
    [400, 'invalid_request_error', 'at least one message'],
  ],
  [
    'a wrong request in the words of Google',
    400,
    ofGoogle(400, 'INVALID_ARGUMENT', 'The request is not valid.'),
    [400, 'invalid_request_error', 'The request is not valid'],
  ],
] as const)(
  'a client of Messages reads %s in its own form',
  async (_, status, body, [read, type, text]) => {
    await using scene = await startScene({}, answerJson(body, { status }))
    const reply = await scene.ask('messages', 'claude-x@20260101')
    const error = await reply.json()
    expect([reply.status, error]).toMatchObject([
      read,
      { type: 'error', error: { type, message: expect.stringContaining(text) as unknown } },
    ])
  },
)

test.each([
  [
    403,
    {
      error: {
        code: 403,
        status: 'PERMISSION_DENIED',
        message: 'Vertex AI API has not been used in project 1 before or it is disabled.',
        details: [
          { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'SERVICE_DISABLED' },
        ],
      },
    },
  ],
  [404, ofGoogle(404, 'NOT_FOUND', 'Publisher Model `claude-x@20260101` was not found.')],
  [401, ofGoogle(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.')],
  [503, ofGoogle(503, 'UNAVAILABLE', 'The service is currently unavailable.')],
])(
  'a refusal of Google with %i moves a call of Claude to another account',
  async (status, body) => {
    await using scene = await startScene({}, answerJson(body, { status }))
    await using other = await startFakeAccount(answerJson(dialects.messages.reply))
    await using gateway = await createTestGateway({
      accounts: [
        {
          id: 'a',
          provider: 'vertex',
          baseUrl: scene.upstream.url,
          project: 'p',
          googleAuth: { json: serviceAccountAt(scene.tokens.url) },
          models: { m: 'claude-x@20260101' },
        },
        {
          id: 'b',
          provider: 'anthropic',
          baseUrl: other.url,
          apiKey: 'k',
          models: ['m'],
          priority: 1,
        },
      ],
    })
    const { path, credential, request } = dialects.messages
    const reply = await fetch(gateway.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...credential(gateway.key) },
      body: JSON.stringify({ ...request, model: 'm' }),
    })
    expect([reply.status, reply.headers.get('x-dragoman-account')]).toEqual([200, 'b'])
    expect(scene.upstream.requests.length).toBeGreaterThan(0)
  },
)
