import { describe, expect, test } from 'vitest'

import type { JsonObject } from '../../src/lib/json/object.ts'
import type { GenerateEvent } from '../../src/generate/events.ts'
import { codecs, decode, type Name, names } from './samples/index.ts'

const openAi = "This model's maximum context length is 128000 tokens. However, you asked for more."
const anthropic = 'prompt is too long: 208310 tokens > 200000 maximum'
const gemini =
  'The input token count (1048600) exceeds the maximum number of tokens allowed (1048576).'

/** How accounts of a dialect, and those that are built after them, say it. */
const beyond: [Name, number, unknown][] = [
  ['chat', 400, { error: { message: openAi, code: 'context_length_exceeded' } }],
  ['chat', 400, { error: { message: 'Too long.', code: 'context_length_exceeded' } }],
  ['chat', 400, { error: { message: openAi, type: 'BadRequestError', code: 400 } }],
  ['chat', 413, { error: 'Request exceeds the context window.' }],
  ['chat', 422, { detail: 'Prompt contains 40000 tokens, too large for model with 32768 maximum' }],
  ['chat', 400, { object: 'error', message: openAi, code: 40303 }],
  ['chat', 400, { error: { type: 'exceed_context_size_error', message: 'n_ctx is 4096' } }],
  ['chat', 400, { error: "This model's maximum prompt length is 131072, but it has 537812." }],
  [
    'messages',
    400,
    { type: 'error', error: { type: 'invalid_request_error', message: anthropic } },
  ],
  [
    'messages',
    400,
    { error: { message: 'input length and `max_tokens` exceed context limit: 188240 + 21333' } },
  ],
  ['messages', 400, { message: 'Input is too long for requested model.' }],
  ['messages', 413, { type: 'error', error: { type: 'request_too_large', message: 'Too large' } }],
  ['generate', 400, { error: { code: 400, message: gemini, status: 'INVALID_ARGUMENT' } }],
  ['generate', 400, [{ error: { code: 400, message: gemini, status: 'INVALID_ARGUMENT' } }]],
  ['responses', 400, { error: { message: 'Long.', code: 'context_length_exceeded' } }],
  ['responses', 400, { error: { message: 'Your input exceeds the context window.' } }],
]

test.each(beyond)(
  'an account of %s says with %i that the input is too long: %j',
  (name, status, json) => {
    expect(codecs[name].exceedsContext?.({ status, json })).toBe(true)
  },
)

const others: [Name, number, unknown][] = [
  [
    'chat',
    429,
    { error: { message: 'Request too large on tokens per minute', code: 'rate_limit' } },
  ],
  ['chat', 429, { error: { message: 'Too many tokens, wait.' } }],
  ['chat', 400, { error: { message: 'max_tokens is too large: this model writes at most 4096.' } }],
  ['chat', 500, { error: { message: openAi } }],
  ['chat', 413, { error: { message: 'File is too large.' } }],
  ['messages', 400, { error: { message: 'max_tokens: 300000 > 64000, the maximum output' } }],
  ['messages', 429, { error: { type: 'rate_limit_error', message: anthropic } }],
  ['generate', 400, { error: { code: 400, message: 'Invalid value.' } }],
  ['generate', 400, 'no JSON'],
  ['responses', 400, undefined],
]

test.each(others)('an account of %s says with %i something else: %j', (name, status, json) => {
  expect(codecs[name].exceedsContext?.({ status, json })).toBe(false)
})

/** The same inside a reply. */
const told: Readonly<Record<Name, JsonObject>> = {
  chat: { error: { message: openAi, code: 'context_length_exceeded' } },
  generate: { error: { code: 400, message: gemini } },
  messages: { type: 'error', error: { type: 'invalid_request_error', message: anthropic } },
  responses: {
    type: 'response.failed',
    response: { status: 'failed', error: { code: 'context_length_exceeded', message: 'Long.' } },
  },
}

describe.each(names)('an account of %s that says it inside a stream', (name) => {
  const failure = { type: 'error', status: 400, code: 'context_length_exceeded' }

  function eventsOf(frame: JsonObject): GenerateEvent[] {
    const events: GenerateEvent[] = []
    const decoder = codecs[name].decodeEvents(decode(name, {}), (event) => events.push(event))
    decoder.decode(frame, typeof frame.type === 'string' ? frame.type : '')
    decoder.end?.()
    return events
  }

  test('is understood', () => {
    expect(eventsOf(told[name])).toEqual([expect.objectContaining(failure)])
  })

  test('is understood with a status of success too', () => {
    const { response = told[name] } = told[name]
    expect(codecs[name].decodeResult(response as JsonObject, decode(name, {}))).toMatchObject(
      failure,
    )
  })

  test('is not taken for one that says something else', () => {
    const [other] = eventsOf({ type: 'error', error: { message: 'Overloaded.', code: 503 } })
    expect(other).toMatchObject({ type: 'error', message: 'Overloaded.' })
    expect(other).not.toHaveProperty('code')
  })
})

test('an account of messages may say it by the name of an error alone', () => {
  const events: GenerateEvent[] = []
  const { messages } = codecs
  const decoder = messages.decodeEvents(decode('messages', {}), (event) => events.push(event))
  decoder.decode({ type: 'error', error: { type: 'request_too_large', message: 'No.' } }, 'error')
  expect(events).toMatchObject([{ status: 413, code: 'context_length_exceeded' }])
})
