import { expect, test } from 'vitest'

import { type Answer, answerStream } from '../../../src/testing/fake-account.ts'
import { readEvents } from '../../exactness/sse-events.ts'
import { dialects } from '../../requests/dialects.ts'
import { answerAnything, startService, useOnly } from '../../requests/service.ts'

const iterations = [
  {
    type: 'compaction',
    input_tokens: 180_000,
    cache_read_input_tokens: 7,
    cache_creation_input_tokens: 3,
    output_tokens: 3_500,
  },
  { type: 'message', input_tokens: 23, output_tokens: 10 },
]

/** The counts of the message leave out its compaction. */
const usage = {
  input_tokens: 23,
  cache_read_input_tokens: 100,
  cache_creation_input_tokens: 0,
  output_tokens: 10,
  iterations,
}

const frame = (event: { type: string }) =>
  `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`

const { content, ...message } = dialects.messages.reply

const stream = [
  {
    type: 'message_start',
    message: { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: content[0]!.text } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage },
  { type: 'message_stop' },
].map(frame)

const compacted: Answer = (response, request) => {
  const { stream: isStream } = JSON.parse(request.body.toString()) as { stream?: boolean }
  if (isStream) return answerStream(stream)(response, request)
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ ...dialects.messages.reply, usage }))
}

const sum = { input: 23 + 100 + 180_000 + 7 + 3, cached: 107, output: 3_510 }

/** The usage as each client reads it. */
const expected = {
  chat: {
    prompt_tokens: sum.input,
    prompt_tokens_details: { cached_tokens: sum.cached },
    completion_tokens: sum.output,
  },
  responses: {
    input_tokens: sum.input,
    input_tokens_details: { cached_tokens: sum.cached },
    output_tokens: sum.output,
  },
  generate: {
    promptTokenCount: sum.input,
    cachedContentTokenCount: sum.cached,
    candidatesTokenCount: sum.output,
  },
} as const

const clients = ['chat', 'responses', 'generate'] as const

test.each(clients.flatMap((client) => [false, true].map((streams) => ({ client, streams }))))(
  'tokens of a compaction are not hidden from a client of $client (stream: $streams)',
  async ({ client, streams }) => {
    await using service = await startService({}, compacted)
    useOnly('messages', service)
    const path =
      client === 'generate' && streams
        ? { path: '/v1beta/models/m:streamGenerateContent?alt=sse' }
        : {}
    const fields = streams && client !== 'generate' ? { stream: true } : {}
    const asked = client === 'chat' ? { stream_options: { include_usage: true } } : {}
    const response = await service.ask(client, { ...fields, ...(streams && asked) }, path)
    const text = await response.text()
    expect(response.status, text).toBe(200)
    const all = streams
      ? readEvents(text).flatMap(({ data }) => (data === '[DONE]' ? [] : [JSON.parse(data)]))
      : [JSON.parse(text)]
    const usages = all
      .map((one) => one.usage ?? one.response?.usage ?? one.usageMetadata)
      .filter(Boolean)
    expect(usages.at(-1)).toMatchObject(expected[client])
  },
)

test.each(['chat', 'responses', 'messages', 'generate'] as const)(
  'a chat client that asks for no logprobs, nor for alternatives, is served by an account of %s',
  async (account) => {
    await using service = await startService({}, answerAnything)
    useOnly(account, service)
    if (account === 'responses' || account === 'chat') {
      const { url } = service.upstream
      const shared = { id: 'a', provider: 'openai', apiKey: 'k', models: ['m'] }
      service.gateway.reload({ accounts: [{ ...shared, baseUrl: `${url}/v1`, speaks: [account] }] })
    }
    const off = { logprobs: false, top_logprobs: 0 }
    const response = await service.ask('chat', off)
    expect(response.status, await response.text()).toBe(200)
    expect(response.headers.get('x-dragoman-losses')).toBeNull()
    const sent = JSON.parse(service.received().body.toString()) as object
    if (account === 'chat') expect(sent).toMatchObject(off)
    else expect(JSON.stringify(sent)).not.toMatch(/logprobs/i)
  },
)

test.each([{ top_logprobs: 1 }, { top_logprobs: 1, logprobs: false }])(
  'alternatives without logprobs stay a mistake of a chat client: %j',
  async (fields) => {
    await using service = await startService({}, answerAnything)
    const response = await service.ask('chat', fields)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { param: 'top_logprobs' } })
    expect(service.upstream.requests).toHaveLength(0)
  },
)
