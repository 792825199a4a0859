import { expect, test } from 'vitest'

import type { GenerateEvent } from '../../../src/generate/events.ts'
import type { GenerateResult } from '../../../src/generate/result.ts'
import {
  decodedResult,
  encode,
  encodedResult,
  finalResponse,
  framesOf,
  readFrames,
  written,
} from './codec.ts'
import { hello, reply, thought, usage, weather } from './replies.ts'

const text = (said: string) => ({ type: 'text', text: said }) as const
const user = { role: 'user', content: [text('hi')] } as const
const call = { type: 'tool_call', id: 'a', name: 'f', kind: 'function', arguments: '{}' } as const

test('LiteLLM#32357: a response is announced once, and thoughts never stand in a text', () => {
  const start: GenerateEvent = { type: 'start' }
  const events = readFrames(framesOf([start, start]))
  expect(events.map(({ type }) => type)).toEqual(['response.created', 'response.in_progress'])
  const kinds = finalResponse(written(reply([thought, hello]))).output.map(({ type }) => type)
  expect(kinds).toEqual(['reasoning', 'message'])
})

test('LiteLLM#20433: a Responses client gets the text of thoughts', () => {
  const raw = { type: 'reasoning', form: 'raw', text: 'Hm.' } as const
  expect(encodedResult(reply([raw, hello])).body.output).toMatchObject([
    { type: 'reasoning', content: [{ type: 'reasoning_text', text: 'Hm.' }], summary: [] },
    { type: 'message' },
  ])
})

test('LiteLLM#25561: streamed arguments do not vanish, also those of a call without any', () => {
  const argumentsOf = (told: GenerateResult) =>
    written(told)
      .filter(({ type }) => type === 'response.function_call_arguments.delta')
      .map(({ delta }) => delta)
  expect(argumentsOf(reply([weather]))).toEqual(['{"city":"Oslo"}'])
  expect(argumentsOf(reply([{ ...call, arguments: '' }]))).toEqual(['{}'])
})

test('LiteLLM 0f08a122: text beside calls stays, and a failed result says so', () => {
  const { input } = encode({
    turns: [
      user,
      { role: 'assistant', content: [text('I look.'), call] },
      {
        role: 'tool',
        results: [{ callId: 'a', content: [text('no'), text('way')], failed: true }],
      },
    ],
  })
  expect(input).toMatchObject([
    {},
    { type: 'message', content: [{ text: 'I look.' }] },
    { type: 'function_call' },
    { type: 'function_call_output', output: 'Error: no\nway' },
  ])
})

test('LiteLLM 7a00394b: thoughts are never replayed as what the assistant said', () => {
  const { input } = encode({ turns: [user, { role: 'assistant', content: [thought, hello] }] })
  expect(input).toMatchObject([{}, { content: [{ type: 'output_text', text: 'Hello there' }] }])
  expect(JSON.stringify(input)).not.toContain(thought.text)
})

test('LiteLLM 7a00394b: a tool that must be called is the word `required`', () => {
  const tools = [{ kind: 'function', name: 'f' }] as const
  expect(encode({ tools, toolChoice: { mode: 'required' } }).tool_choice).toBe('required')
  const { tool_choice } = encode({ tools, toolChoice: { mode: 'required', only: ['f'] } })
  expect(tool_choice).toEqual({ type: 'function', name: 'f' })
})

test('LiteLLM 7a00394b: calls do not move before the text that they came after', () => {
  const { input } = encode({ turns: [user, { role: 'assistant', content: [hello, call] }] })
  expect(input).toMatchObject([{}, { type: 'message' }, { type: 'function_call' }, {}])
})

test('Portkey anthropic: the whole prompt is counted, what was cached included', () => {
  expect(encodedResult(reply([hello])).body.usage).toMatchObject({
    input_tokens: usage.inputTokens,
    input_tokens_details: { cached_tokens: usage.cachedTokens },
  })
})

test('Portkey google: thoughts are counted in the output', () => {
  const { output_tokens, output_tokens_details } = encodedResult(reply([hello])).body.usage as {
    output_tokens: number
    output_tokens_details: { reasoning_tokens: number }
  }
  expect(output_tokens).toBe(usage.outputTokens)
  expect(output_tokens_details.reasoning_tokens).toBe(usage.reasoningTokens)
})

test('Portkey google: a call that ended with `stop` is waited for', () => {
  const output = [{ type: 'function_call', call_id: 'a', name: 'f', arguments: '' }]
  const read = decodedResult({ status: 'completed', output }) as GenerateResult
  expect(read.choices[0]?.stop.reason).toBe('tool_calls')
})
