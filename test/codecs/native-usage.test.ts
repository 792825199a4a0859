import { describe, expect, test } from 'vitest'

import type { JsonObject } from '../../src/lib/json/object.ts'
import { nativeReplies, streamedUsage } from './native-usage.ts'

type Name = keyof typeof nativeReplies

/** The four counts as each dialect tells them: all but the output where one is no count. */
const told: Readonly<Record<Name, (count: number) => JsonObject>> = {
  chat: (count) => ({
    prompt_tokens: count,
    completion_tokens: 7,
    prompt_tokens_details: { cached_tokens: count },
    completion_tokens_details: { reasoning_tokens: count },
  }),
  generate: (count) => ({
    promptTokenCount: count,
    candidatesTokenCount: 7,
    cachedContentTokenCount: count,
  }),
  messages: (count) => ({
    input_tokens: count,
    cache_read_input_tokens: count,
    output_tokens: 7,
    output_tokens_details: { thinking_tokens: count },
  }),
  responses: (count) => ({
    input_tokens: count,
    output_tokens: 7,
    input_tokens_details: { cached_tokens: count },
    output_tokens_details: { reasoning_tokens: count },
  }),
}

const names = Object.keys(nativeReplies) as Name[]

describe.each(names)('an account that is asked in %s as its client asks', (name) => {
  const { json, events, outcome, observer } = nativeReplies[name]

  test.each([-1, -0.5, 2.5, 1e300])('counts nothing by telling %s', (count) => {
    const usage = told[name](count)

    expect(outcome(json(usage)).usage).toEqual({ outputTokens: 7 })
    expect(streamedUsage(observer(), events(usage))).toEqual({ outputTokens: 7 })
  })

  test('is counted for what it tells, and for no more', () => {
    expect(outcome(json({})).usage).toEqual({})
    expect(outcome(json(told[name](0))).usage).toMatchObject({ inputTokens: 0, cachedTokens: 0 })
    expect(streamedUsage(observer(), events(told[name](0)))).toMatchObject({
      inputTokens: 0,
      cachedTokens: 0,
      outputTokens: 7,
    })
  })
})

describe('an account of chat completions', () => {
  const { json, outcome, observer } = nativeReplies.chat
  const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 }
  const known = { inputTokens: 3, outputTokens: 2 }

  test('is counted for usage that only its own field tells', () => {
    const groq = { id: 'req_1', usage }
    const { usage: _, ...reply } = json({})
    const events = [
      { id: 'c', choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: null }] },
      { id: 'c', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], x_groq: groq },
    ]

    expect(outcome({ ...reply, x_groq: groq }).usage).toEqual(known)
    expect(streamedUsage(observer(), events)).toEqual(known)
  })

  test('is counted for reasoning that only its total has, and for its own name of cached tokens', () => {
    const more = {
      prompt_tokens: 3,
      completion_tokens: 2,
      total_tokens: 9,
      prompt_cache_hit_tokens: 1,
    }

    expect(outcome(json(more)).usage).toEqual({ inputTokens: 3, outputTokens: 6, cachedTokens: 1 })
  })
})

test('an account of messages keeps the count of its prompt when its end tells a part of it again', () => {
  const events = [
    {
      type: 'message_start',
      message: {
        id: 'm',
        usage: { input_tokens: 3, cache_read_input_tokens: 10, output_tokens: 1 },
      },
    },
    { type: 'message_delta', delta: {}, usage: { input_tokens: 3, output_tokens: 5 } },
    { type: 'message_stop' },
  ]

  expect(streamedUsage(nativeReplies.messages.observer(), events)).toEqual({
    inputTokens: 13,
    cachedTokens: 10,
    outputTokens: 5,
  })
})
