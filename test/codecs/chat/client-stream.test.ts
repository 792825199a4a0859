import { describe, expect, test } from 'vitest'

import { chatCodec } from '../../../plugins/dialects/chat/codec/index.ts'
import type { JsonObject } from '../../../src/lib/json/object.ts'
import { GatewayError } from '../../../src/contract/errors.ts'
import type { GenerateEvent } from '../../../src/generate/events.ts'
import { eventsOf } from '../../../src/generate/replay.ts'
import type { GenerateResult } from '../../../src/generate/result.ts'
import { contextFor } from './asking.ts'
import { framesFor, parsed } from './reading.ts'
import { framesTo } from '../frame-sink.ts'

const reply: GenerateResult = {
  choices: [
    {
      content: [
        { type: 'reasoning', form: 'raw', text: 'Hm.' },
        { type: 'text', text: 'Hi "there"\n' },
        { type: 'tool_call', id: 'a', name: 'look', kind: 'function', arguments: '{"at":1}' },
        { type: 'tool_call', id: 'b', name: 'run', kind: 'custom', arguments: 'ls' },
      ],
      stop: { reason: 'tool_calls' },
    },
  ],
  usage: { inputTokens: 3, outputTokens: 2 },
}

const asking = { stream: true, stream_options: { include_usage: true } }

function deltasIn(chunks: JsonObject[]) {
  return chunks.flatMap(({ choices }) => (choices as { delta: object }[]).map(({ delta }) => delta))
}

describe('a client that is streamed a reply', () => {
  test('reads a role, one delta after another, and why it finished', () => {
    const { chunks, isDone } = parsed(framesFor(eventsOf(reply)))

    expect(isDone).toBe(true)
    expect(deltasIn(chunks)).toEqual([
      { role: 'assistant', content: '' },
      { reasoning_content: 'Hm.' },
      { content: 'Hi "there"\n' },
      {
        tool_calls: [
          { index: 0, id: 'a', type: 'function', function: { name: 'look', arguments: '' } },
        ],
      },
      { tool_calls: [{ index: 0, function: { arguments: '{"at":1}' } }] },
      { tool_calls: [{ index: 1, id: 'b', type: 'custom', custom: { name: 'run', input: '' } }] },
      { tool_calls: [{ index: 1, custom: { input: 'ls' } }] },
      {},
    ])
    expect(chunks.at(-1)?.choices).toEqual([
      { index: 0, delta: {}, logprobs: null, finish_reason: 'tool_calls' },
    ])
  })

  test('sees the same id, time and model in all chunks', () => {
    const { chunks } = parsed(framesFor(eventsOf(reply)))

    for (const { id, object, created, model } of chunks) {
      expect({ id, object, created, model }).toEqual({
        id: chunks[0]?.id,
        object: 'chat.completion.chunk',
        created: 1_700_000_000,
        model: 'm',
      })
    }
  })

  test('that asked for usage gets it before [DONE], and null until then', () => {
    const { chunks, isDone } = parsed(framesFor(eventsOf(reply), asking))
    const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 }

    expect(isDone).toBe(true)
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage })
    expect(chunks.slice(0, -1).map((chunk) => chunk.usage)).toEqual(chunks.slice(1).map(() => null))
  })

  test.each([{}, { stream_options: null }, { stream_options: { include_usage: false } }])(
    'that sent %j gets no usage',
    (body) => {
      const { chunks } = parsed(framesFor(eventsOf(reply), body))

      expect(chunks.some((chunk) => 'usage' in chunk)).toBe(false)
      expect(chunks.every(({ choices }) => (choices as unknown[]).length === 1)).toBe(true)
    },
  )

  test('that asked for usage that nobody knows gets no invented zeros', () => {
    const { chunks, isDone } = parsed(framesFor(eventsOf({ ...reply, usage: {} }), asking))

    expect(isDone).toBe(true)
    expect(chunks.every(({ usage }) => usage === null)).toBe(true)
  })

  test('reads arguments of a call that has none, so that they do not vanish', () => {
    const calling: GenerateEvent[] = [
      { type: 'start' },
      {
        type: 'part',
        index: 0,
        choice: 0,
        part: { type: 'tool_call', id: 'a', name: 'look', kind: 'function' },
      },
      { type: 'end', index: 0 },
      { type: 'stop', choice: 0, stop: { reason: 'tool_calls' } },
      { type: 'finish', usage: {} },
    ]

    expect(deltasIn(parsed(framesFor(calling)).chunks).at(-2)).toEqual({
      tool_calls: [{ index: 0, function: { arguments: '{}' } }],
    })
  })

  test('reads the pieces of two answers, each with a role of its own', () => {
    const [choice] = reply.choices
    const both = { ...reply, choices: [choice!, choice!] }
    const { chunks } = parsed(framesFor(eventsOf(both), { n: 2 }))
    const firsts = [0, 1].map((index) =>
      chunks
        .flatMap(({ choices }) => choices as { index: number }[])
        .find((one) => one.index === index),
    )

    expect(firsts).toMatchObject([
      { delta: { role: 'assistant' } },
      { delta: { role: 'assistant' } },
    ])
  })

  test('has an SSE line for each frame, comments to wait by, and no event names', () => {
    const frames = framesFor(eventsOf(reply))
    const encoder = chatCodec.encodeEvents(
      contextFor(),
      framesTo(() => undefined),
    )

    expect(
      frames
        .split('\n\n')
        .slice(0, -1)
        .every((frame) => frame.startsWith('data: ')),
    ).toBe(true)
    expect(encoder.keepAlive?.()).toBe(': keep-alive\n\n')
    expect(encoder.contentType).toMatch(/^text\/event-stream/)
  })

  test('is told of a failure in the words of a failure, never of a finish', () => {
    let frames = ''
    const encoder = chatCodec.encodeEvents(
      contextFor(),
      framesTo((more) => {
        frames += more
      }),
    )
    encoder.encode({ type: 'start' })
    const ending = encoder.fail(new GatewayError('upstream_stream_broken', 'It broke.'))
    const { chunks, isDone } = parsed(frames)

    expect(ending).toBe('end')
    expect(isDone).toBe(false)
    expect(chunks.at(-1)).toMatchObject({
      error: { code: 502, message: 'It broke.', type: 'server_error' },
    })
    expect(frames).not.toMatch(/"finish_reason":"/)
  })
})
