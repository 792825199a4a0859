import { createVerify, generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import type { AccountConfig } from '../../src/configuration/config.generated.ts'
import { answerJson, startFakeAccount } from '../../src/testing/fake-account.ts'
import { createTestGateway } from '../../src/testing/gateway.ts'
import { type DialectName, dialects } from '../requests/dialects.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })

/** A gateway with one account at Vertex AI, a server of tokens, and the file of a service account. */
async function startScene(account: Partial<AccountConfig> = {}) {
  await using starting = new AsyncDisposableStack()
  const upstream = starting.use(
    await startFakeAccount((response, request) => {
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
  writeFileSync(
    file,
    JSON.stringify({
      type: 'service_account',
      project_id: 'p',
      private_key_id: 'k',
      private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
      client_email: 'gateway@p.iam.gserviceaccount.com',
      token_uri: `${tokens.url}/token`,
    }),
  )
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
    async ask(name: DialectName, model: string, options: { path?: string; fields?: object } = {}) {
      const { path, credential, request } = dialects[name]
      const own = options.path ?? path
      const isInPath = name === 'generate'
      return await fetch(gateway.url + (isInPath ? own.replace('/m:', `/${model}:`) : own), {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...credential(gateway.key) },
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
