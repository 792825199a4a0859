import { describe, expect, test } from 'vitest'

import { chatCodec } from '../../../plugins/dialects/chat/codec/index.ts'
import { eventsOf } from '../../../src/generate/replay.ts'
import type { GenerateResult } from '../../../src/generate/result.ts'
import { contextFor, decoded } from './asking.ts'
import { framesFor, parsed } from './reading.ts'

const body = {
  functions: [{ name: 'look', parameters: { type: 'object', properties: {} } }],
  function_call: { name: 'look' },
  messages: [
    { role: 'user', content: 'Look.' },
    { role: 'assistant', content: null, function_call: { name: 'look', arguments: '{}' } },
    { role: 'function', name: 'look', content: 'seen' },
  ],
}

const reply: GenerateResult = {
  choices: [
    {
      content: [
        { type: 'tool_call', id: 'a', name: 'look', kind: 'function', arguments: '{"at":"sea"}' },
        { type: 'tool_call', id: 'b', name: 'look', kind: 'function', arguments: '' },
      ],
      stop: { reason: 'tool_calls' },
    },
  ],
  usage: {},
}

describe('a client that still says functions', () => {
  test('asks for tools, one call at a time', () => {
    const { tools, toolChoice, parallelToolCalls, turns } = decoded(body)

    expect(tools).toEqual([
      { kind: 'function', name: 'look', parameters: { type: 'object', properties: {} } },
    ])
    expect(toolChoice).toEqual({ mode: 'required', only: ['look'] })
    expect(parallelToolCalls).toBe(false)
    expect(turns[2]).toMatchObject({ role: 'tool', results: [{ name: 'look' }] })
  })

  test('has its result matched to its call, although neither has an id', () => {
    const [, answer, results] = decoded(body).turns
    const call = answer?.role === 'assistant' ? answer.content[0] : undefined
    const result = results?.role === 'tool' ? results.results[0] : undefined

    expect(call?.type === 'tool_call' && call.id).toMatch(/^call_[A-Za-z0-9]{1,24}$/)
    expect(call?.type === 'tool_call' && call.id).toBe(result?.callId)
  })

  test('reads the call where it expects it, and is told of another', () => {
    const context = contextFor(body)
    const { choices } = chatCodec.encodeResult(reply, context).body

    expect(choices).toEqual([
      {
        index: 0,
        message: {
          role: 'assistant',
          content: null,
          refusal: null,
          function_call: { name: 'look', arguments: '{"at":"sea"}' },
        },
        logprobs: null,
        finish_reason: 'function_call',
      },
    ])
    expect(context.dropped).toHaveLength(1)
  })

  test('is streamed the call where it expects it', () => {
    const { chunks } = parsed(framesFor(eventsOf(reply), body))
    const choices = chunks.flatMap((chunk) => chunk.choices as { delta: object }[])

    expect(choices.map(({ delta }) => delta)).toEqual([
      { role: 'assistant', content: '' },
      { function_call: { name: 'look', arguments: '' } },
      { function_call: { arguments: '{"at":"sea"}' } },
      {},
    ])
    expect(choices.at(-1)).toMatchObject({ finish_reason: 'function_call' })
  })
})
