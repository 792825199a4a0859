import { describe, expect, test } from 'vitest'

import type { JsonObject } from '../../src/lib/json/object.ts'
import { answeredTo } from './asking.ts'
import { type DialectName, dialectNames } from './clients/index.ts'
import { nestedText } from './deep.ts'
import { approach, exchangeOf } from './kernel.ts'
import { relayed } from './relayed.ts'

const deep = nestedText(20_000)

/** The reply of an account that calls a tool with an object of arguments, whole and as a stream. */
const replies: readonly (readonly [account: DialectName, whole: string, stream: string[]])[] = [
  [
    'messages',
    `{"type":"message","content":[{"type":"tool_use","id":"c","name":"look","input":${deep}}],"stop_reason":"tool_use"}`,
    [
      '{"type":"message_start","message":{"id":"m"}}',
      `{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"c","name":"look","input":${deep}}}`,
      '{"type":"message_delta","delta":{"stop_reason":"tool_use"}}',
      '{"type":"message_stop"}',
    ],
  ],
  [
    'generate',
    `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"look","args":${deep}}}]},"finishReason":"STOP"}]}`,
    [
      `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"look","args":${deep}}}]},"finishReason":"STOP"}]}`,
    ],
  ],
  [
    'chat',
    `{"choices":[{"message":{"tool_calls":[{"id":"c","function":{"name":"look","arguments":${deep}}}]},"finish_reason":"tool_calls"}]}`,
    [
      `{"choices":[{"delta":{"tool_calls":[{"id":"c","function":{"name":"look","arguments":${deep}}}]},"finish_reason":"tool_calls"}]}`,
      '[DONE]',
    ],
  ],
  [
    'responses',
    `{"status":"completed","output":[{"type":"function_call","call_id":"c","name":"look","arguments":${deep}}]}`,
    [
      `{"type":"response.output_item.done","output_index":0,"item":{"type":"function_call","call_id":"c","name":"look","arguments":${deep}}}`,
      '{"type":"response.completed","response":{"status":"completed"}}',
    ],
  ],
]

describe.each(replies)('arguments of %s that are nested too deeply', (account, whole, stream) => {
  const clients = dialectNames.filter((name) => name !== account)

  test.each(clients)('are a reply that cannot be read, for a client of %s', async (client) => {
    await expect(
      answeredTo(client, account, JSON.parse(whole) as JsonObject),
    ).rejects.toMatchObject({ code: 'upstream_reply_too_large' })
  })

  test.each(clients)('break a stream for a client of %s', async (client) => {
    const frames = stream.map((data) => Buffer.from(`data: ${data}\n\n`))
    const exchange = exchangeOf({ client, account, stream: true })
    const { outcome, error } = relayed(frames, await approach(exchange))
    expect(outcome).toBeUndefined()
    expect(error?.code).toBe('upstream_reply_too_large')
  })
})

test.each(dialectNames.filter((name) => name !== 'chat'))(
  'a text of arguments that is nested too deeply reaches a client of %s as it was written',
  async (client) => {
    const called = { name: 'look', arguments: deep }
    const message = { tool_calls: [{ id: 'c', type: 'function', function: called }] }
    const { json } = await answeredTo(client, 'chat', {
      choices: [{ message, finish_reason: 'tool_calls' }],
    })
    expect(JSON.stringify(json)).toContain(JSON.stringify(deep))
  },
)
