import { describe, expect, test } from 'vitest'

import { messagesDialect } from '../../plugins/dialects/messages/index.ts'
import { videosCodec } from '../../plugins/dialects/videos/codec.ts'
import {
  type AccountCodec,
  type AccountDialect,
  defineAccountDialect,
  definePlugin,
  eventStream,
  type GatewayPlugin,
} from '../../src/dialect-kit/index.ts'
import {
  type AccountDialectSample,
  accountDialectContract,
  answerJson,
  createTestGateway,
  startFakeAccount,
} from '../../src/testing/index.ts'
import { awsMessage, events } from '../framing/framed.ts'
import { form } from '../walks/streams/forms.ts'
import { brokenBy } from './broken-by.ts'

const messages = messagesDialect()
const ownCodec: AccountCodec = (({
  supports,
  lacks = {},
  encodeRequest,
  decodeResult,
  decodeEvents,
}) => ({ supports, lacks, encodeRequest, decodeResult, decodeEvents }))(messages.generate!.codec)

/** The accounts of a cloud: their words are those of Messages, in AWS's framing, and no client speaks so. */
const cloud = (change: Partial<AccountDialect> = {}): AccountDialect => {
  const { headers, subjectOf, statusOf } = messages.upstream!
  return defineAccountDialect({
    id: 'cloud',
    upstream: {
      base: 'bare',
      framing: eventStream,
      providers: { cloud: {} },
      headers,
      ...(subjectOf && { subjectOf }),
      ...(statusOf && { statusOf }),
      retryAfterOf: ({ seconds }) => (typeof seconds === 'number' ? seconds * 1_000 : undefined),
    },
    generate: {
      codec: ownCodec,
      counting: {
        encodeCountRequest: (request) => ({ ...request, path: '/count' }),
        readCount: ({ tokens }) => tokens as number,
      },
    },
    ...change,
  })
}

const plugin = (change?: Partial<AccountDialect>): GatewayPlugin =>
  definePlugin({ name: 'cloud', dialects: [cloud(change)] })

const reply = {
  id: 'm',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [{ type: 'text', text: 'Grüezi' }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 3, output_tokens: 2 },
}

const errorOf = (type: string, message: string) => ({ type: 'error', error: { type, message } })

const sample: AccountDialectSample = {
  provider: 'cloud',
  reply,
  text: 'Grüezi',
  frames: events.map((event) => awsMessage(event.type, event)),
  errorFrames: (message) => [
    awsMessage('error', errorOf('overloaded_error', message)),
    awsMessage('throttlingException', { message }, 'exception'),
  ],
  refusals: (message) => [
    { status: 400, body: errorOf('invalid_request_error', message), fault: 'caller' },
    {
      status: 429,
      body: { error: { message, seconds: 7 } },
      about: 'model-limit',
      retryAfterMs: 7_000,
    },
    { status: 500, body: { message } },
  ],
  count: { reply: { tokens: 12 }, tokens: 12 },
}

describe('a dialect for accounts only', () => {
  const checks = accountDialectContract({ plugins: [plugin()], dialect: 'cloud', sample })
  for (const check of checks) test(check.name, check.run)
})

describe.each(['chat', 'messages', 'responses', 'generate'] as const)('accounts of %s', (name) => {
  const { provider, reply: json, announcements, output, ending, inBandError } = form[name]
  const checks = accountDialectContract({
    dialect: name,
    sample: {
      provider,
      reply: { ...json, ...(name === 'chat' && { usage: undefined }) },
      text: name === 'generate' ? 'Hello there.' : 'Hello there',
      frames: [...announcements, ...output, ending.join('')],
      errorFrames: (message) => [inBandError.replace('overworked', message)],
      refusals: (message) => [{ status: 500, body: { error: { message } } }],
    },
  })
  for (const check of checks) test(check.name, check.run)
})

/** The codec writes a request as if the client had asked for something else. */
const writing = (change: (request: Parameters<AccountCodec['encodeRequest']>[0]) => object) => ({
  generate: {
    codec: {
      ...ownCodec,
      encodeRequest: (...[request, ...more]: Parameters<AccountCodec['encodeRequest']>) =>
        ownCodec.encodeRequest({ ...request, ...change(request) }, ...more),
    },
  },
})

test.each<[string, Partial<AccountDialect>, RegExp]>([
  ['drops what its accounts support', writing(() => ({ stop: [] })), /^stop is written/],
  ['drops turns', writing(({ turns }) => ({ turns: turns.slice(-1) })), /a system text is written/],
  [
    'supports what it does not write',
    { generate: { codec: { ...ownCodec, supports: [...ownCodec.supports, 'seed'] } } },
    /^seed is written/,
  ],
  [
    'takes the last word of a stream for its end',
    {
      generate: {
        codec: {
          ...ownCodec,
          decodeEvents(request, emit) {
            const own = ownCodec.decodeEvents(request, emit)
            return {
              decode: (event, name, isError) => own.decode(event, name, isError),
              end: () => emit({ type: 'finish', usage: {} }),
            }
          },
        },
      },
    },
    /is no success/,
  ],
  [
    'reads no pause',
    { upstream: { ...cloud().upstream, retryAfterOf: () => undefined } },
    /refusal 2/,
  ],
  [
    'reads another subject',
    { upstream: { ...cloud().upstream, subjectOf: () => 'account-limit' } },
    /refusal 1/,
  ],
])('a dialect for accounts that %s is found out', async (_how, change, name) => {
  const checks = accountDialectContract({ plugins: [plugin(change)], dialect: 'cloud', sample })
  const wanted = checks.filter((check) => name.test(check.name))
  expect(wanted).not.toEqual([])
  expect(await brokenBy(wanted)).not.toEqual([])
})

test('a dialect for accounts has no path, and no client is asked in it', async () => {
  await using account = await startFakeAccount(answerJson(reply))
  await using gateway = await createTestGateway({
    plugins: [plugin()],
    accounts: [{ id: 'a', provider: 'cloud', baseUrl: account.url, apiKey: 'k', models: ['m'] }],
    admin: true,
  })
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${gateway.key}` },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }] }),
  })
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ choices: [{ message: { content: 'Grüezi' } }] })
  expect((await fetch(`${gateway.url}/openapi.json`)).status).toBe(200)
  const { data } = await gateway.admin!.ask(
    '{ models(first: 5) { edges { node { name accounts { edges { node { native translated } } } } } } }',
  )
  expect(JSON.stringify(data)).toContain('"native":[],"translated":["')
  const explained = await gateway.admin!.ask(
    '{ explain(input: { keyId: "test", dialect: "cloud", model: "m" }) { __typename } }',
  )
  expect(explained.errors?.[0]?.message).toContain('Only accounts speak `cloud`')
})

test('videos of accounts whose dialect has no clients are made, and operators refresh them', async () => {
  const film = defineAccountDialect({
    id: 'film',
    upstream: {
      base: 'versioned',
      providers: { film: {} },
      headers: ({ credential = '' }) => ({ authorization: `Bearer ${credential}` }),
    },
    video: videosCodec,
  })
  const video = { id: 'video_1', object: 'video', model: 'm', created_at: 1, seconds: '4' }
  let status = 'queued'
  await using account = await startFakeAccount((response, request) =>
    answerJson({ ...video, status, progress: 0 })(response, request),
  )
  await using gateway = await createTestGateway({
    plugins: [definePlugin({ name: 'film', dialects: [film] })],
    accounts: [{ id: 'a', provider: 'film', baseUrl: account.url, apiKey: 'k', models: ['m'] }],
    admin: true,
  })
  const response = await fetch(`${gateway.url}/v1/videos`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${gateway.key}` },
    body: JSON.stringify({ model: 'm', prompt: 'A heron.' }),
  })
  expect(response.status).toBe(200)
  const { id } = (await response.json()) as { id: string }
  status = 'in_progress'
  const { data } = await gateway.admin!.ask(
    `mutation { refreshJob(input: { id: "${id}" }) { __typename ... on RefreshJobSuccess { job { state } } } }`,
  )
  expect(data).toEqual({
    refreshJob: { __typename: 'RefreshJobSuccess', job: { state: 'IN_PROGRESS' } },
  })
})
