import { describe, expect, test } from 'vitest'

import { chatCodec } from '../../../plugins/dialects/chat/codec/index.ts'
import type { JsonObject } from '../../../src/lib/json/object.ts'
import { GatewayError } from '../../../src/contract/errors.ts'
import type { ToolCallPart } from '../../../src/generate/content.ts'
import { eventsOf } from '../../../src/generate/replay.ts'
import type { GenerateResult } from '../../../src/generate/result.ts'
import { contextFor, encoded } from './asking.ts'
import {
  chunk,
  completion,
  eventsIn,
  finish,
  framesFor,
  parsed,
  read,
  streamed,
} from './reading.ts'
import { framesTo } from '../frame-sink.ts'

const look = (id: string, input = '{}'): ToolCallPart => ({
  type: 'tool_call',
  id,
  name: 'look',
  kind: 'function',
  arguments: input,
})

const replyWith = (...content: GenerateResult['choices'][0]['content']): GenerateResult => ({
  choices: [{ content, stop: { reason: 'tool_calls' } }],
  usage: {},
})

const bodyOf = (result: GenerateResult) => chatCodec.encodeResult(result, contextFor()).body

describe('what other gateways do wrong and this one does not', () => {
  test('text is dropped where there are calls', () => {
    const reply = replyWith({ type: 'text', text: 'Hm.' }, look('a'))

    expect(bodyOf(reply).choices).toMatchObject([
      { message: { content: 'Hm.', tool_calls: [{ id: 'a' }] } },
    ])
    expect(framesFor(eventsOf(reply))).toContain('{"content":"Hm."}')
  })

  test('prompt_tokens leaves out what came from a cache', () => {
    const usage = { inputTokens: 100, outputTokens: 1, cachedTokens: 90, cacheWriteTokens: 5 }

    expect(bodyOf({ ...replyWith(), usage }).usage).toMatchObject({
      prompt_tokens: 100,
      total_tokens: 101,
      prompt_tokens_details: { cached_tokens: 90, cache_write_tokens: 5 },
    })
  })

  test('completion_tokens leaves out what was thought', () => {
    const usage = { inputTokens: 1, outputTokens: 9, reasoningTokens: 8 }
    const told = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 10 }

    expect(bodyOf({ ...replyWith(), usage }).usage).toMatchObject({ completion_tokens: 9 })
    expect(read(completion({ content: 'Hi' }, {}, { usage: told })).usage.outputTokens).toBe(9)
  })

  test('an error becomes a finish_reason, followed by [DONE]', () => {
    let frames = ''
    const encoder = chatCodec.encodeEvents(
      contextFor(),
      framesTo((more) => {
        frames += more
      }),
    )
    encoder.encode({ type: 'start' })
    encoder.fail(new GatewayError('upstream_stream_broken', 'overloaded_error'))

    expect(frames).toContain('"error":{')
    expect(frames).not.toMatch(/"finish_reason":"|\[DONE\]/)
  })

  test('a stream that ends in the middle passes as a success', () => {
    const cut = [chunk({ content: 'Hi' })]

    expect(eventsIn(cut, { ending: 'done' }).map(({ type }) => type)).not.toContain('finish')
  })

  test('only the last of several calls in one chunk is kept', () => {
    const call = (index: number) => ({
      index,
      id: `call_${index}`,
      type: 'function',
      function: { name: 'look', arguments: '{}' },
    })
    const chunks = [chunk({ tool_calls: [call(0), call(1), call(2)] }), finish('tool_calls')]

    expect(streamed(chunks).choices[0]?.content).toMatchObject([
      { id: 'call_0' },
      { id: 'call_1' },
      { id: 'call_2' },
    ])
  })

  test('made-up ids of parallel calls of the same tool collide', () => {
    const call = { type: 'function', function: { name: 'look', arguments: '{}' } }
    const { content } = read(completion({ tool_calls: [call, call] })).choices[0]!
    const [first, second] = content as ToolCallPart[]

    expect(first?.id).not.toBe(second?.id)
  })

  test('streamed arguments vanish', () => {
    const { chunks } = parsed(framesFor(eventsOf(replyWith(look('a', '{"at":1}'), look('b', '')))))
    const inputs: Record<number, string> = {}
    for (const { choices } of chunks) {
      for (const { delta } of choices as { delta: { tool_calls?: Piece[] } }[]) {
        for (const { index, function: called } of delta.tool_calls ?? []) {
          inputs[index] = (inputs[index] ?? '') + called.arguments
        }
      }
    }

    expect(inputs).toEqual({ 0: '{"at":1}', 1: '{}' })
  })

  test('thinking is replayed as text', () => {
    const { messages } = encoded({
      turns: [
        {
          role: 'assistant',
          content: [
            {
              type: 'reasoning',
              form: 'raw',
              text: 'secret',
              signature: { dialect: 'messages', value: 's' },
            },
            { type: 'text', text: 'Hi' },
          ],
        },
      ],
    })

    expect(messages).toEqual([{ role: 'assistant', content: 'Hi' }])
  })

  test('a filler takes the place of a tool name, or of a message', () => {
    const result = { callId: 'a', content: [{ type: 'text', text: 'x' }] } as const
    const { messages } = encoded({
      turns: [
        { role: 'assistant', content: [look('a')] },
        { role: 'tool', results: [result] },
      ],
    })

    expect(messages).toEqual([
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'look', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'a', content: 'x' },
    ] satisfies JsonObject[])
  })

  test('a stop with calls is told as `stop`', () => {
    const call = { id: 'a', type: 'function', function: { name: 'look', arguments: '{}' } }
    const { stop } = read(completion({ tool_calls: [call] }, { finish_reason: 'stop' })).choices[0]!

    expect(stop.reason).toBe('tool_calls')
  })
})

interface Piece {
  readonly index: number
  readonly function: { readonly arguments: string }
}
