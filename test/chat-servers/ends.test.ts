import { describe, expect, test } from 'vitest'

import { answerJson } from '../../src/testing/fake-account.ts'
import { readers } from '../translate/clients/index.ts'
import { startPool } from '../walks/failover/pool.ts'
import { ask, receive } from '../walks/streams/asking.ts'
import { form } from '../walks/streams/forms.ts'
import { type Json, chunkOf, completionOf, framesOf, startServer, streaming } from './server.ts'

const abroad = ['messages', 'responses', 'generate'] as const
const usage = { prompt_tokens: 5, completion_tokens: 1, total_tokens: 6 }
const usageChunk = { id: 'c1', object: 'chat.completion.chunk', model: 'm', choices: [], usage }

const fragment = (index: number, text: string, id?: string) => ({
  tool_calls: [
    { index, ...(id && { id }), function: { ...(id && { name: 'get' }), arguments: text } },
  ],
})

/** Streams of servers that do not say why an answer ends. */
const silent: Record<string, readonly (Json | string)[]> = {
  'no reason': [chunkOf({ role: 'assistant', content: '4' }), '[DONE]'],
  'a null reason, and usage': [chunkOf({ content: '4' }, null), usageChunk, '[DONE]'],
  'an empty reason': [chunkOf({ role: 'assistant' }, ''), chunkOf({ content: '4' }, ''), '[DONE]'],
}

describe.each(Object.entries(silent))('a stream with %s before [DONE]', (_, chunks) => {
  test('is an answer, and no failure of its account', async () => {
    await using server = await startServer(streaming(chunks))
    const fields = { stream_options: { include_usage: true } }
    for (let call = 0; call < 6; call++) {
      const native = await server.ask('chat', { stream: true, fields })
      expect(native).toMatchObject({ status: 200, text: framesOf(chunks) })
    }
    for (const client of abroad) {
      const { read } = await server.ask(client, { stream: true })
      expect(read(), client).toMatchObject({ text: '4', ending: 'complete' })
    }
    const stops = await Promise.all(
      abroad.map(async (client) => (await server.ask(client, { stream: true })).read().stop),
    )
    expect(stops).toEqual(['end_turn', 'completed', 'STOP'])
  })
})

test('the usage before a [DONE] without a reason reaches clients of other dialects', async () => {
  await using server = await startServer(
    streaming([chunkOf({ content: '4' }), usageChunk, '[DONE]']),
  )
  for (const client of abroad) {
    const { read } = await server.ask(client, { stream: true })
    expect(read().usage, client).toMatchObject({ input: 5, output: 1 })
  }
})

test('a stream with calls and no reason before [DONE] waits for the tools', async () => {
  const chunks = [chunkOf(fragment(0, '{"a":1}', 'x'), null), '[DONE]']
  await using server = await startServer(streaming(chunks))
  const { read } = await server.ask('messages', { stream: true })
  expect(read()).toMatchObject({ stop: 'tool_use', calls: [{ name: 'get', input: { a: 1 } }] })
})

test.each(Object.entries(silent))(
  'a stream with %s and no [DONE] is cut off',
  async (_, chunks) => {
    await using server = await startServer(streaming(chunks.slice(0, -1)))
    const native = await server.ask('chat', { stream: true })
    expect(native.text).toMatch(/ended before it was complete/)
    const { read } = await server.ask('messages', { stream: true })
    expect(read()).toMatchObject({ ending: 'failed' })
  },
)

test.each([
  { what: 'nothing', chunks: ['[DONE]'] },
  { what: 'a role', chunks: [chunkOf({ role: 'assistant', content: '' }), '[DONE]'] },
  {
    what: 'zero values',
    chunks: [chunkOf({ tool_calls: [], audio: { id: '' }, function_call: { name: '' } }), '[DONE]'],
  },
])('a stream with $what and no reason before [DONE] is no answer', async ({ chunks }) => {
  await using server = await startServer(streaming(chunks))
  expect((await server.ask('chat', { stream: true })).status).toBe(502)
  expect((await server.ask('messages', { stream: true })).status).toBe(502)
})

const ends = [
  ['model_context_window_exceeded', 'max_output_tokens', 'model_context_window_exceeded'],
  ['MAX_TOKENS', 'max_output_tokens', 'max_tokens'],
  ['abort', 'max_output_tokens', 'max_tokens'],
  ['sensitive', 'content_filter', 'refusal'],
  ['content_filter: OTHER', 'content_filter', 'refusal'],
  ['eos', undefined, 'end_turn'],
  ['a_new_reason', undefined, 'end_turn'],
] as const

test.each(ends)('an answer that ends with %s is cut off by %s', async (reason, cut, stop) => {
  const whole = answerJson(completionOf({ content: 'part' }, reason))
  const frames = streaming([chunkOf({ content: 'part' }, null), chunkOf({}, reason), '[DONE]'])
  await using server = await startServer((response, request) =>
    (request.body.includes('"stream":true') ? frames : whole)(response, request),
  )
  for (const stream of [false, true]) {
    const { text } = await server.ask('responses', { stream })
    expect(text).toContain(`"status":"${cut ? 'incomplete' : 'completed'}"`)
    if (cut) expect(text).toContain(`"incomplete_details":{"reason":"${cut}"}`)
    expect((await server.ask('messages', { stream })).read().stop).toBe(stop)
  }
})

test.each(['network_error', 'ERROR', 'timeout'])(
  'an answer that ends with %s has failed',
  async (end) => {
    await using server = await startServer(answerJson(completionOf({ content: 'part' }, end)))
    expect((await server.ask('messages')).status).toBeGreaterThan(500)

    const chunks = [chunkOf({ content: 'part' }, null), chunkOf({}, end), '[DONE]']
    await using streams = await startServer(streaming(chunks))
    expect((await streams.ask('messages', { stream: true })).status).toBeGreaterThan(500)
  },
)

describe('the values of a server that writes zero for what there is not', () => {
  const zeros = {
    refusal: '',
    function_call: { name: '', arguments: '' },
    tool_calls: null,
    audio: { id: '', data: '', expires_at: 0, transcript: '' },
  }
  const emptyCall = { index: 0, id: '', type: 'function', function: { name: '', arguments: '' } }

  test.each([zeros, { ...zeros, tool_calls: [emptyCall] }])('are no calls: %j', async (zero) => {
    const whole = answerJson(completionOf({ content: '4', ...zero }, ''))
    const frames = streaming([
      chunkOf({ role: 'assistant', content: '4', ...zero }, ''),
      chunkOf({ content: '', ...zero }, 'stop'),
      '[DONE]',
    ])
    await using server = await startServer((response, request) =>
      (request.body.includes('"stream":true') ? frames : whole)(response, request),
    )
    for (const client of abroad) {
      for (const stream of [false, true]) {
        const { read } = await server.ask(client, { stream })
        expect(read(), `${client} ${stream}`).toMatchObject({ text: '4', calls: [] })
      }
    }
    expect((await server.ask('messages')).read().stop).toBe('end_turn')
  })
})

test('the fragments of a call that count on belong to it', async () => {
  const chunks = [
    chunkOf(fragment(0, '{"city":', 'a'), null),
    chunkOf(fragment(0, '"Rome"}'), null),
    chunkOf(fragment(0, '{"city":', 'b'), null),
    chunkOf(fragment(1, '"Os'), null),
    chunkOf(fragment(2, 'lo"}'), null),
    chunkOf({}, 'tool_calls'),
    '[DONE]',
  ]
  await using server = await startServer(streaming(chunks))
  for (const client of abroad) {
    const { read } = await server.ask(client, { stream: true })
    expect(
      read().calls.map(({ input }) => input),
      client,
    ).toEqual([{ city: 'Rome' }, { city: 'Oslo' }])
  }
})

describe("a model's own mistake", () => {
  const gemini = {
    candidates: [
      { content: {}, finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage: 'Bad call' },
    ],
  }
  const chat = completionOf({}, 'function_call_filter: MALFORMED_FUNCTION_CALL')

  test.each([
    { speaks: 'generate', reply: gemini, message: 'Bad call' },
    { speaks: 'chat', reply: chat, message: 'MALFORMED_FUNCTION_CALL' },
  ] as const)('of a $speaks account is an error, and no evidence against it', async (one) => {
    await using server = await startServer(answerJson(one.reply), one.speaks)
    for (let call = 0; call < 8; call++) {
      const { status, text } = await server.ask('messages')
      expect({ status, text }).toMatchObject({
        status: 502,
        text: expect.stringContaining(one.message) as string,
      })
    }
    expect(server.account.requests).toHaveLength(8)
  })

  test('in a stream has another account asked before any output', async () => {
    const bad = streaming([gemini])
    const good = streaming([
      { candidates: [{ content: { parts: [{ text: 'yes' }] }, finishReason: 'STOP' }] },
    ])
    await using pool = await startPool(form.generate, { a: bad, b: good })
    const { text } = await receive(await ask(pool.gateway, form.chat))
    expect(readers.chat.stream(text).text).toBe('yes')
  })
})

test('what Model Armor stops is filtered', async () => {
  const candidates = [{ finishReason: 'MODEL_ARMOR', finishMessage: 'Against the rules.' }]
  await using server = await startServer(answerJson({ candidates }), 'generate')
  expect((await server.ask('chat')).read().stop).toBe('content_filter')
})
