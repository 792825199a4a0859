import { writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import type { AccountConfig } from '../../src/configuration/config.generated.ts'
import {
  type Answer,
  answerJson,
  answerStream,
  startFakeAccount,
} from '../../src/testing/fake-account.ts'
import { createTestGateway } from '../../src/testing/gateway.ts'
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
  await using tokens = await startTokens()
  const file = join(await mkdtemp(join(tmpdir(), 'federated-')), 'token')
  writeFileSync(file, 'assertion-of-kubernetes\n')
  const federated = { tenantId: 't-1', clientId: 'c-1', federatedTokenFile: file }
  await using scene = await startScene({ entra: { ...federated, authority: tokens.url } })
  expect((await scene.ask('chat')).status).toBe(200)
  const form = new URLSearchParams(tokens.requests[0]?.body.toString())
  expect(form.get('client_assertion')).toBe('assertion-of-kubernetes')
  expect(form.get('client_assertion_type')).toContain('jwt-bearer')
  expect(JSON.stringify(scene.upstream.requests[0]?.headers)).not.toContain('assertion')
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
