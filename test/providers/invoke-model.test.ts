import {
  BedrockRuntimeClient,
  CountTokensCommand,
  InvokeModelCommand,
  InvokeModelWithResponseStreamCommand,
} from '@aws-sdk/client-bedrock-runtime'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import Anthropic from 'anthropic-1'
import { describe, expect, test } from 'vitest'

import { invokedStreams } from '../../plugins/providers/invoke-model.ts'
import type { AccountConfig } from '../../src/configuration/config.generated.ts'
import { eventStream } from '../../src/kit/framing/event-stream.ts'
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts'
import { answerJson, startFakeAccount } from '../../src/testing/fake-account.ts'
import { createTestGateway } from '../../src/testing/gateway.ts'
import { type DialectName, dialectNames, dialects } from '../requests/dialects.ts'

const aws = { accessKeyId: 'AKIASANDBOXA', secretAccessKey: 'sandbox-key-a' }
const region = 'eu-central-1'
const profile = 'eu.anthropic.claude-sonnet-4-5-20250929-v1:0'
const application = 'arn:aws:bedrock:eu-central-1:1:application-inference-profile/a1'

async function gatewayAt({ url }: { url: string }, account: object = {}) {
  return await createTestGateway({
    accounts: [
      {
        id: 'a',
        provider: 'bedrock',
        region,
        baseUrl: url,
        speaks: ['messages'],
        models: { claude: profile },
        ...('apiKey' in account ? {} : { aws }),
        ...account,
      },
    ] as AccountConfig[],
  })
}

async function ask(
  gateway: { url: string; key: string },
  name: DialectName,
  {
    path: at,
    model = 'claude',
    stream = false,
    fields = {},
    headers = {},
  }: { path?: string; model?: string; stream?: boolean; fields?: object; headers?: object } = {},
) {
  const { path, credential, request } = dialects[name]
  const isGenerate = name === 'generate'
  const verb = stream ? ':streamGenerateContent?alt=sse' : ':generateContent'
  const target = at ?? path.replace('/m:', `/${model}:`).replace(':generateContent', verb)
  const own = isGenerate ? {} : { model, ...(stream && { stream }) }
  return await fetch(gateway.url + target, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...credential(gateway.key), ...headers },
    body: JSON.stringify({ ...request, ...own, ...fields }),
  })
}

const bodyOf = ({ body }: { body: string | Buffer }) =>
  JSON.parse(String(body)) as Record<string, unknown>

test.each(dialectNames)('clients of %s reach Claude by InvokeModel', async (name) => {
  await using sandbox = await startSandbox()
  for (const account of [{}, { apiKey: 'sandbox-key-a' }]) {
    await using gateway = await gatewayAt(sandbox, account)
    for (const stream of [false, true]) {
      const reply = await ask(gateway, name, { stream })
      const text = await reply.text()
      expect([reply.status, reply.status === 200 ? '' : text]).toEqual([200, ''])
      expect(text).toContain('said')
      const { url, headers } = sandbox.requests.at(-1)!
      expect(url).toBe(`/model/${profile}/invoke${stream ? '-with-response-stream' : ''}`)
      expect(headers.authorization).toMatch('apiKey' in account ? /^Bearer / : /^AWS4-HMAC-SHA256 /)
    }
  }
})

describe('Anthropic’s own client', () => {
  const clientAt = ({ url, key }: { url: string; key: string }) =>
    new Anthropic({ apiKey: key, baseURL: url, maxRetries: 0 })
  const asked = {
    model: 'claude',
    max_tokens: 2_000,
    messages: [{ role: 'user' as const, content: 'hello' }],
  }

  test('reads messages, streams, thinking, tools and counts', async () => {
    await using sandbox = await startSandbox()
    await using gateway = await gatewayAt(sandbox)
    const client = clientAt(gateway)
    const whole = await client.messages.create(asked)
    expect(whole.content).toMatchObject([{ type: 'text', text: 'You said: hello' }])
    const streamed = await client.messages.stream(asked).finalMessage()
    expect(streamed.content).toEqual(whole.content)
    expect(streamed.usage.output_tokens).toBe(whole.usage.output_tokens)
    const thinking = { type: 'enabled' as const, budget_tokens: 1_024 }
    const thought = await client.messages.stream({ ...asked, thinking }).finalMessage()
    expect(thought.content[0]).toMatchObject({ type: 'thinking' })
    const { input_tokens: tokens } = await client.messages.countTokens({
      model: asked.model,
      messages: asked.messages,
      thinking,
    })
    expect(tokens).toBeGreaterThan(0)
    expect(sandbox.requests.at(-1)?.url).toBe(
      '/model/anthropic.claude-sonnet-4-5-20250929-v1:0/count-tokens',
    )
  })

  test.each([
    ['cut=3', /upstream_/],
    ['eof=3', /upstream_stream_broken/],
    ['half=3', /upstream_/],
    ['error=4+code=ThrottlingException+status=429', /rate_limit_error/],
    ['malformed=3', /upstream_stream_broken/],
  ])('never takes a broken stream for a whole one: %s', async (directive, message) => {
    await using sandbox = await startSandbox()
    await using gateway = await gatewayAt(sandbox)
    const headers = { 'x-sandbox': directive.replaceAll('+', ';') }
    const stream = clientAt(gateway).messages.stream(asked, { headers })
    await expect(stream.finalMessage()).rejects.toThrow(message)
    const [line] = await gateway.logged(1)
    expect(line).not.toMatchObject({ outcome: 'completed' })
  })
})

test('the version, the betas and the rest of the body are as InvokeModel has them', async () => {
  await using upstream = await startFakeAccount(answerJson(dialects.messages.reply))
  await using gateway = await gatewayAt(upstream)
  const headers = {
    'anthropic-beta': 'claude-code-20250219, context-1m-2025-08-07,interleaved-thinking-2025-05-14',
  }
  const fields = { anthropic_version: 'x', service_tier: 'auto' }
  const reply = await ask(gateway, 'messages', { headers, fields })
  expect(reply.status).toBe(200)
  const [sent] = upstream.requests
  expect(bodyOf(sent!)).toEqual({
    max_tokens: 10,
    messages: dialects.messages.request.messages,
    anthropic_version: 'bedrock-2023-05-31',
    anthropic_beta: ['context-1m-2025-08-07', 'interleaved-thinking-2025-05-14'],
  })
  expect(sent?.headers).not.toHaveProperty('anthropic-beta')
  expect(sent?.headers).not.toHaveProperty('anthropic-version')
  const losses = reply.headers.get('x-dragoman-losses')
  expect(losses).toContain('service_tier')
  expect(losses).toContain('claude-code-20250219')
  const container = await ask(gateway, 'messages', { fields: { container: 'c' } })
  expect([container.status, await container.text()]).toEqual([
    400,
    expect.stringContaining('container'),
  ])
})

test.each<[DialectName, string, object, string]>([
  ['responses', '/v1/responses/input_tokens', { input: 'one two' }, 'input_tokens'],
  [
    'generate',
    '/v1beta/models/claude:countTokens',
    { contents: [{ role: 'user', parts: [{ text: 'one two' }] }] },
    'totalTokens',
  ],
])('clients of %s count tokens of Claude', async (name, path, fields, member) => {
  await using sandbox = await startSandbox()
  await using gateway = await gatewayAt(sandbox)
  const { credential } = dialects[name]
  const reply = await fetch(gateway.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...credential(gateway.key) },
    body: JSON.stringify({ ...(name === 'responses' && { model: 'claude' }), ...fields }),
  })
  expect([reply.status, await reply.json()]).toEqual([
    200,
    expect.objectContaining({ [member]: expect.any(Number) as number }),
  ])
})

test('a document in place of a stream is read as one', async () => {
  await using upstream = await startFakeAccount(answerJson(dialects.messages.reply))
  await using gateway = await gatewayAt(upstream)
  const reply = await ask(gateway, 'messages', { stream: true })
  expect([reply.status, await reply.text()]).toEqual([
    200,
    expect.stringContaining('event: message_stop'),
  ])
})

test('`anthropicVersion` chooses InvokeModel for each model, and is sent', async () => {
  await using upstream = await startFakeAccount(answerJson(dialects.messages.reply))
  const account = {
    anthropicVersion: 'bedrock-2026-10-21',
    headers: { 'anthropic-beta': 'my-beta-2030-01-01' },
    models: { claude: 'anthropic.claude-opus-4-7', application },
  }
  await using gateway = await gatewayAt(upstream, account)
  for (const [model, id] of [
    ['claude', 'anthropic.claude-opus-4-7'],
    ['application', application.replace('/', '%2F')],
  ]) {
    expect((await ask(gateway, 'messages', { model: model! })).status).toBe(200)
    const sent = upstream.requests.at(-1)!
    expect(sent.url).toBe(`/model/${id}/invoke`)
    expect(bodyOf(sent)).toMatchObject({
      anthropic_version: 'bedrock-2026-10-21',
      anthropic_beta: ['my-beta-2030-01-01'],
    })
  }
})

test('the name of a model decides the door of Claude', async () => {
  await using sandbox = await startSandbox()
  await using gateway = await gatewayAt(sandbox, {
    speaks: ['messages', 'converse'],
    models: ['*'],
  })
  for (const [model, url] of [
    ['anthropic.claude-opus-4-7', '/anthropic/v1/messages'],
    ['anthropic.claude-haiku-4-5-20251001-v1:0', '/invoke'],
    ['anthropic.claude-opus-4-6-v1', '/invoke'],
    ['us.anthropic.claude-sonnet-4-6', '/invoke'],
    ['amazon.nova-pro-v1:0', '/converse'],
    ['us.amazon.nova-pro-v1:0', '/converse'],
  ]) {
    const reply = await ask(gateway, 'messages', { model: model! })
    expect([model, reply.status]).toEqual([model, 200])
    expect(sandbox.requests.at(-1)?.url).toContain(url)
  }
})

test.each([
  ['ThrottlingException', 429, 429],
  ['AccessDeniedException', 403, 502],
  ['UnrecognizedClientException', 403, 502],
  ['ModelErrorException', 424, 424],
  ['ValidationException', 400, 400],
])('%s is read before a stream as everywhere', async (code, status, expected) => {
  await using sandbox = await startSandbox()
  await using gateway = await gatewayAt(sandbox)
  const headers = { 'x-sandbox': `status=${status};code=${code}` }
  const reply = await ask(gateway, 'messages', { headers, stream: true })
  expect(reply.status).toBe(expected)
  expect(await reply.json()).toMatchObject({ type: 'error' })
})

describe('the events of a stream', () => {
  const event = (data: object, name = 'chunk', isError = false) =>
    Buffer.from(eventStream.encode().frame({ name, data: JSON.stringify(data), isError }))
  const chunk = (json: object) =>
    event({ bytes: Buffer.from(JSON.stringify(json)).toString('base64'), p: 'abc' })
  const stop = { type: 'message_stop' }

  test('are the same however the stream is cut', () => {
    const bytes = Buffer.concat([
      chunk({ type: 'message_start', message: { id: 'ä' } }),
      event({}, 'later-event'),
      chunk({ unknown: true }),
      chunk({ index: 0, type: 'ping\nevent: message_stop' }),
      chunk({ index: 0, type: 'content_block_stop' }),
      chunk(stop),
      event({ message: 'slow' }, 'throttlingException', true),
    ])
    const whole = invokedStreams.join().feed(bytes)?.toString()
    expect(whole).toBe(
      [
        'event: message_start\ndata: {"type":"message_start","message":{"id":"ä"}}\n\n',
        'event: content_block_stop\ndata: {"index":0,"type":"content_block_stop"}\n\n',
        'event: message_stop\ndata: {"type":"message_stop"}\n\n',
        'event: error\ndata: {"type":"error","error":{"type":"rate_limit_error","message":"slow"}}\n\n',
      ].join(''),
    )
    for (let at = 1; at < bytes.length; at++) {
      const joiner = invokedStreams.join()
      const parts = [bytes.subarray(0, at), bytes.subarray(at)].map((part) => joiner.feed(part))
      expect(joiner.end()).toBeUndefined()
      expect(parts.map((part) => part?.toString() ?? '').join('')).toBe(whole)
    }
  })

  test.each<[string, Buffer]>([
    ['a chunk without bytes', event({})],
    ['bytes that are no JSON', event({ bytes: Buffer.from('{').toString('base64') })],
    [
      'a payload that is no JSON',
      Buffer.from(eventStream.encode().frame({ name: 'chunk', data: '{' })),
    ],
  ])('that come before %s pass, and then the stream is broken', (_, broken) => {
    const joiner = invokedStreams.join()
    expect(joiner.feed(Buffer.concat([chunk(stop), broken]))?.toString()).toContain('message_stop')
    expect(joiner.broken).toBeDefined()
    expect(() => joiner.feed(chunk(stop))).toThrow(/malformed/)
    expect(() => invokedStreams.join().feed(broken)).toThrow(/malformed/)
  })
})

describe('the client of AWS at the sandbox', () => {
  const clientAt = ({ url }: Sandbox, keys = aws) =>
    new BedrockRuntimeClient({
      region,
      endpoint: url,
      credentials: keys,
      maxAttempts: 1,
      requestHandler: new NodeHttpHandler(),
    })
  const body = {
    anthropic_version: 'bedrock-2023-05-31',
    max_tokens: 10,
    messages: [{ role: 'user', content: 'one two' }],
  }
  const input = (modelId: string, fields: object = {}) => ({
    modelId,
    contentType: 'application/json',
    body: JSON.stringify({ ...body, ...fields }),
  })

  test.each([profile, application, 'anthropic.claude-opus-4-6-v1'])('invokes %s', async (id) => {
    await using sandbox = await startSandbox()
    const client = clientAt(sandbox)
    const reply = await client.send(new InvokeModelCommand(input(id)))
    expect(JSON.parse(reply.body.transformToString())).toMatchObject({
      content: [{ type: 'text', text: 'You said: one two' }],
    })
    const streamed = await client.send(new InvokeModelWithResponseStreamCommand(input(id)))
    let text = ''
    for await (const { chunk } of streamed.body ?? []) {
      const event = JSON.parse(Buffer.from(chunk!.bytes!).toString()) as {
        delta?: { text?: string }
      }
      text += event.delta?.text ?? ''
    }
    expect(text).toBe('You said: one two')
  })

  test('counts, but for profiles', async () => {
    await using sandbox = await startSandbox()
    const client = clientAt(sandbox)
    const count = (modelId: string) =>
      client.send(
        new CountTokensCommand({
          modelId,
          input: { invokeModel: { body: Buffer.from(JSON.stringify(body)) } },
        }),
      )
    expect((await count(profile.replace('eu.', ''))).inputTokens).toBe(2)
    await expect(count(profile)).rejects.toThrow(/doesn't support counting tokens/)
  })

  test.each<[string, object, string]>([
    [profile, { anthropic_version: undefined }, 'anthropic_version'],
    [profile, { model: 'm' }, 'Extra inputs'],
    [profile, { stream: true }, 'Extra inputs'],
    [profile, { anthropic_beta: ['claude-code-20250219'] }, 'invalid beta flag'],
    ['amazon.nova-pro-v1:0', {}, 'Malformed input request'],
  ])('is refused at %s with %j', async (id, fields, message) => {
    await using sandbox = await startSandbox()
    const asked = clientAt(sandbox).send(new InvokeModelCommand(input(id, fields)))
    await expect(asked).rejects.toMatchObject({
      name: 'ValidationException',
      message: expect.stringContaining(message) as string,
    })
  })
})
