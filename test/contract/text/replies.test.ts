import type { AnySchema } from 'ajv'
import { describe, expect, test } from 'vitest'

import type { JsonObject } from '../../../src/lib/json/object.ts'
import { objectSchema, shapeViolation } from '../replies.ts'
import { probeStage } from '../stage.ts'
import { textAccounts } from './accounts.ts'

const text = { type: 'string' }
const integer = { type: 'integer' }
const boolean = { type: 'boolean' }
const list = { type: 'array' }
const object = { type: 'object' }
const orNull = (schema: { type: string }): AnySchema => ({ type: [schema.type, 'null'] })
const listOf = (items: AnySchema): AnySchema => ({ type: 'array', items, minItems: 1 })
const word = (...words: unknown[]): AnySchema => ({ enum: words })

const outputText = objectSchema({ type: word('output_text'), text, annotations: list })

/** Resources, Response object; Output message item; Usage. */
const responseObject = objectSchema({
  id: text,
  object: word('response'),
  status: word('completed'),
  created_at: { type: 'number' },
  error: orNull(object),
  incomplete_details: orNull(object),
  instructions: { type: ['string', 'array', 'null'] },
  model: text,
  output: listOf(
    objectSchema({
      type: word('message'),
      id: text,
      status: word('completed'),
      role: word('assistant'),
      content: listOf(outputText),
    }),
  ),
  parallel_tool_calls: boolean,
  temperature: { type: 'number', minimum: 0, maximum: 2 },
  tool_choice: { type: ['string', 'object'] },
  tools: list,
  top_p: { type: 'number', minimum: 0, maximum: 1 },
  metadata: object,
  usage: objectSchema({
    input_tokens: integer,
    input_tokens_details: objectSchema({ cached_tokens: integer }),
    output_tokens: integer,
    output_tokens_details: objectSchema({ reasoning_tokens: integer }),
    total_tokens: integer,
  }),
})

/** Resources, Chat completion object; Choice; Choice message. */
const completion = objectSchema({
  id: text,
  object: word('chat.completion'),
  created: integer,
  model: text,
  choices: listOf(
    objectSchema({
      finish_reason: word('stop'),
      index: integer,
      message: objectSchema({ role: word('assistant'), content: text }),
    }),
  ),
  usage: objectSchema({
    completion_tokens: integer,
    prompt_tokens: integer,
    total_tokens: integer,
  }),
})

/** Resources, Message object. */
const message = objectSchema({
  id: text,
  type: word('message'),
  role: word('assistant'),
  content: listOf(objectSchema({ type: word('text'), text })),
  model: text,
  stop_reason: word('end_turn'),
  stop_sequence: word(null),
  usage: objectSchema({ input_tokens: integer, output_tokens: integer }),
})

/** Resources, Generated content object. */
const generated = objectSchema({
  candidates: listOf(
    objectSchema({
      content: objectSchema({ parts: listOf(objectSchema({ text })), role: text }),
      finishReason: word('STOP'),
    }),
  ),
  usageMetadata: objectSchema({
    promptTokenCount: integer,
    candidatesTokenCount: integer,
    totalTokenCount: integer,
  }),
  modelVersion: text,
})

const messages = [{ role: 'user', content: 'hi' }]

/** The calls of the text dialects, each with the shape of its reply. */
const calls = [
  {
    dialect: 'responses',
    path: '/v1/responses',
    body: { model: 'm', input: 'hi' },
    shape: responseObject,
  },
  {
    dialect: 'chat',
    path: '/v1/chat/completions',
    body: { model: 'm', messages },
    shape: completion,
  },
  {
    dialect: 'messages',
    path: '/v1/messages',
    body: { model: 'm', max_tokens: 16, messages },
    shape: message,
  },
  {
    dialect: 'generate',
    path: '/v1beta/models/m:generateContent',
    body: { contents: [{ parts: [{ text: 'hi' }] }] },
    shape: generated,
  },
]

/** Events, in the order in which the contract lists them. */
const eventNames = [
  'response.created',
  'response.output_item.added',
  'response.content_part.added',
  'response.output_text.delta',
  'response.output_text.done',
  'response.completed',
]

/** The members of each event's data that the contract names, beside `type`. */
const eventShapes: Readonly<Record<string, AnySchema>> = {
  'response.created': objectSchema({
    response: objectSchema({
      status: word('in_progress'),
      output: { type: 'array', maxItems: 0 },
      usage: word(null),
    }),
  }),
  'response.output_item.added': objectSchema({ output_index: integer, item: object }),
  'response.content_part.added': objectSchema({
    item_id: text,
    output_index: integer,
    content_index: integer,
    part: objectSchema({ type: word('output_text'), text: word(''), annotations: list }),
  }),
  'response.output_text.delta': objectSchema({
    item_id: text,
    output_index: integer,
    content_index: integer,
    delta: text,
  }),
  'response.output_text.done': objectSchema({
    item_id: text,
    output_index: integer,
    content_index: integer,
    text: word('hello'),
  }),
  'response.completed': objectSchema({ response: responseObject }),
}

describe.each(textAccounts)('an account of $dialect', (kind) => {
  const translated = calls.filter(({ dialect }) => dialect !== kind.dialect)

  test.each(translated)('replies to $dialect clients in the contract’s shape', async (call) => {
    await using stage = await probeStage(kind)
    const response = await post(stage.gateway, call.path, call.body)
    expect(response.status).toBe(200)
    expect(shapeViolation(call.shape, await response.json())).toBeUndefined()
  })

  // A native stream is the account's own.
  if (kind.dialect === 'responses') return
  test('streams the events of a response', async () => {
    await using stage = await probeStage(kind)
    const body = { model: 'm', input: 'hi', stream: true }
    const response = await post(stage.gateway, '/v1/responses', body)
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
    const frames = (await response.text()).split('\n\n').filter((frame) => frame !== '')
    expect(frames.pop()).toBe('data: [DONE]')
    const events = frames.map((frame) => {
      const [, name, data] = /^event: (.+)\ndata: (.+)$/.exec(frame) ?? []
      return { name, data: JSON.parse(data ?? 'null') as JsonObject }
    })
    for (const { name, data } of events) expect(data.type).toBe(name)
    const known = events.filter(({ name }) => eventNames.includes(name ?? ''))
    expect(known.map(({ name }) => name)).toEqual(eventNames)
    const violations = known.map(({ name, data }) => shapeViolation(eventShapes[name!]!, data))
    expect(violations.filter((one) => one !== undefined)).toEqual([])
  })
})

function post({ url, key }: { url: string; key: string }, path: string, body: object) {
  return fetch(url + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'provider-version': '2023-06-01',
    },
    body: JSON.stringify(body),
  })
}
