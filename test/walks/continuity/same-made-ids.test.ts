import { expect, test } from 'vitest'

import { chatCodec } from '../../../plugins/dialects/chat/codec/index.ts'
import { generateCodec } from '../../../plugins/dialects/generate/codec/index.ts'
import { messagesCodec } from '../../../plugins/dialects/messages/codec/index.ts'
import { responsesCodec } from '../../../plugins/dialects/responses/codec/index.ts'
import type { GenerateCodec } from '../../../src/contract/codec.ts'
import type { JsonObject } from '../../../src/lib/json/object.ts'
import type { GenerateEvent } from '../../../src/generate/events.ts'
import { eventsOf } from '../../../src/generate/replay.ts'
import type { GenerateRequest } from '../../../src/generate/request.ts'

const called = { name: 'f', arguments: '{}' }
const chatCalls = [0, 1].map((index) => ({ index, type: 'function', function: called }))
const blocks = [0, 1].map(() => ({ type: 'tool_use', name: 'f', input: {} }))
const response = {
  status: 'completed',
  output: [0, 1].map(() => ({ type: 'function_call', ...called })),
}
const answer = {
  candidates: [
    {
      finishReason: 'STOP',
      content: { role: 'model', parts: [0, 1].map(() => ({ functionCall: { name: 'f' } })) },
    },
  ],
}

/** Replies with two calls, in which nothing has an id: whole, and as events. */
const replies: [string, GenerateCodec, JsonObject, JsonObject[]][] = [
  [
    'chat',
    chatCodec,
    { choices: [{ finish_reason: 'tool_calls', message: { tool_calls: chatCalls } }] },
    [
      { choices: [{ index: 0, delta: { tool_calls: chatCalls } }] },
      { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
    ],
  ],
  [
    'messages',
    messagesCodec,
    { type: 'message', content: blocks, stop_reason: 'tool_use' },
    [
      { type: 'message_start', message: { type: 'message' } },
      ...blocks.flatMap((content_block, index) => [
        { type: 'content_block_start', index, content_block },
        { type: 'content_block_stop', index },
      ]),
      { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
      { type: 'message_stop' },
    ],
  ],
  ['responses', responsesCodec, response, [{ type: 'response.completed', response }]],
  ['generate', generateCodec, answer, [answer]],
]

function asking(exchangeId: string): GenerateRequest {
  return { exchangeId, stream: false, turns: [], tools: [], sampling: {}, fields: {}, extras: [] }
}

function idsIn(events: readonly GenerateEvent[]): string[] {
  return events.flatMap((event) =>
    event.type === 'part' && event.part.type === 'tool_call' ? [event.part.id] : [],
  )
}

test.for(replies)(
  'calls of %s are called the same, streamed and whole',
  ([, codec, whole, all]) => {
    const streamed = (exchangeId: string) => {
      const events: GenerateEvent[] = []
      const decoder = codec.decodeEvents(asking(exchangeId), (event) => events.push(event))
      for (const event of all) decoder.decode(event, '')
      decoder.done?.()
      decoder.end?.()
      return idsIn(events)
    }
    const told = codec.decodeResult(whole, asking('req_1'))
    const ids = 'type' in told ? [] : idsIn(eventsOf(told))

    expect(new Set(ids).size).toBe(2)
    expect(streamed('req_1')).toEqual(ids)
    expect(new Set([...ids, ...streamed('req_2')]).size).toBe(4)
  },
)
