import { describe, expect, test } from 'vitest'

import type { JsonObject } from '../../src/lib/json/object.ts'
import { answeredTo, streamedTo } from './asking.ts'
import { dialectNames } from './clients/index.ts'

const chunk = (delta: JsonObject, finish_reason: string | null = null) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  model: 'm',
  choices: [{ index: 0, delta, finish_reason }],
})

const piece = (index: number, text: string, id?: string) => ({
  tool_calls: [
    {
      index,
      ...(id && { id, type: 'function' }),
      function: { ...(id && { name: 'look' }), arguments: text },
    },
  ],
})

const candidate = (parts: readonly JsonObject[], finishReason?: string) => ({
  candidates: [{ content: { role: 'model', parts }, ...(finishReason && { finishReason }) }],
  responseId: 'r1',
})

const calls = ['sun', 'moon'].map((at) => ({ functionCall: { name: 'look', args: { at } } }))
const inputs = [{ at: 'sun' }, { at: 'moon' }]

describe('replies that others translate wrongly and this gateway does not', () => {
  test('LiteLLM #32357: thoughts and words do not begin a message twice or share a block', async () => {
    const chunks = [
      chunk({ role: 'assistant', content: '' }),
      chunk({ reasoning_content: 'Hm.' }),
      chunk({ role: 'assistant', content: 'Hello' }),
      chunk({}, 'stop'),
    ]
    const { wire, reading } = await streamedTo('messages', 'chat', chunks)
    expect(wire.match(/"type":"message_start"/g)).toHaveLength(1)
    expect(reading).toMatchObject({ thoughts: 'Hm.', text: 'Hello', ending: 'complete' })
  })

  test('LiteLLM #29518, #20433: reasoning_content is read by clients of every dialect', async () => {
    const message = { role: 'assistant', content: 'Hello', reasoning_content: 'Hm.' }
    const reply = {
      id: 'c',
      object: 'chat.completion',
      choices: [{ message, finish_reason: 'stop' }],
    }
    for (const client of dialectNames) {
      const { reading } = await answeredTo(client, 'chat', reply)
      expect(reading, client).toMatchObject({ thoughts: 'Hm.', text: 'Hello' })
    }
  })

  test("LiteLLM #25561: the arguments of Gemini's streamed calls do not vanish", async () => {
    for (const client of dialectNames) {
      const { reading } = await streamedTo(client, 'generate', [candidate(calls, 'STOP')])
      expect(
        reading.calls.map(({ input }) => input),
        client,
      ).toEqual(inputs)
    }
  })

  test('LiteLLM 0f08a122: a filtered answer is no ordinary end of a turn', async () => {
    const chunks = [chunk({ role: 'assistant', content: 'He' }), chunk({}, 'content_filter')]
    const { reading } = await streamedTo('messages', 'chat', chunks)
    expect(reading.stop).toBe('refusal')
  })

  test('LiteLLM 0f08a122: arguments of parallel calls are not run together', async () => {
    const chunks = [
      chunk({ role: 'assistant', content: null, ...piece(0, '', 'a') }),
      chunk(piece(1, '{"at":', 'b')),
      chunk(piece(0, '{"at":"sun"')),
      chunk(piece(1, '"moon"}')),
      chunk(piece(0, '}')),
      chunk({}, 'tool_calls'),
    ]
    for (const client of dialectNames) {
      const { reading } = await streamedTo(client, 'chat', chunks)
      expect(
        reading.calls.map(({ input }) => input),
        client,
      ).toEqual(inputs)
    }
  })

  test('LiteLLM 1214eea2: parallel calls of one tool have ids of their own', async () => {
    for (const client of dialectNames) {
      const { reading } = await answeredTo(client, 'generate', candidate(calls, 'STOP'))
      expect(new Set(reading.calls.map(({ id }) => id)).size, client).toBe(2)
    }
  })

  test('LiteLLM 1214eea2: a stream that breaks ends as a failure in every dialect', async () => {
    for (const client of dialectNames) {
      const { reading, outcome } = await streamedTo(client, 'generate', [
        candidate([{ text: 'He' }]),
      ])
      expect(reading.ending, client).toBe('failed')
      expect(outcome).toBeUndefined()
    }
  })

  test('Portkey google, rust-genai #173: every part of a chunk counts, text beside calls too', async () => {
    const parts = [{ text: 'I look.' }, ...calls]
    for (const client of dialectNames) {
      const { reading } = await streamedTo(client, 'generate', [candidate(parts, 'STOP')])
      expect(reading.text, client).toBe('I look.')
      expect(reading.calls, client).toHaveLength(2)
    }
  })

  test('Portkey google: STOP with calls waits for the tools, and thoughts are counted', async () => {
    const usageMetadata = { promptTokenCount: 5, candidatesTokenCount: 3, thoughtsTokenCount: 40 }
    const reply = { ...candidate(calls, 'STOP'), usageMetadata }
    const { reading } = await answeredTo('chat', 'generate', reply)
    expect(reading).toMatchObject({ stop: 'tool_calls', usage: { output: 43, reasoning: 40 } })
  })

  test('Portkey anthropic: what came from a cache is a part of the prompt', async () => {
    const usage = { input_tokens: 5, cache_read_input_tokens: 90, output_tokens: 1 }
    const content = [{ type: 'text', text: 'Hi' }]
    const reply = { id: 'm', type: 'message', content, stop_reason: 'end_turn', usage }
    const { reading } = await answeredTo('chat', 'messages', reply)
    expect(reading.usage).toMatchObject({ input: 95, cached: 90 })
  })

  test('Portkey anthropic: an error in a stream is no finish_reason, and no [DONE] follows', async () => {
    const error = { type: 'overloaded_error', message: 'Overloaded' }
    const events = [
      { type: 'message_start', message: { id: 'm' } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'He' } },
      { type: 'error', error },
    ]
    const { wire, reading } = await streamedTo('chat', 'messages', events)
    expect(reading).toMatchObject({ ending: 'failed', failure: 'Overloaded', stop: '' })
    expect(wire).not.toContain('[DONE]')
  })

  test('Portkey anthropic: words that look like the end of a chunk stay words', async () => {
    const words = '"finish_reason":null}\n\ndata: [DONE]\n\n'
    const events = [
      { type: 'message_start', message: { id: 'm' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: words } },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
      { type: 'message_stop' },
    ]
    for (const client of dialectNames) {
      const { reading } = await streamedTo(client, 'messages', events)
      expect(reading, client).toMatchObject({ text: words, ending: 'complete' })
    }
  })
})
