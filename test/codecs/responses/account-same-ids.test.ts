import { expect, test } from 'vitest'

import type { ToolCallPart, ToolResult } from '../../../src/generate/content.ts'
import type { Turn } from '../../../src/generate/request.ts'
import { responsesCodec } from '../../../plugins/dialects/responses/codec/index.ts'
import { request } from './codec.ts'

const call = (
  id: string,
  input: string,
  kind: ToolCallPart['kind'] = 'function',
): ToolCallPart => ({
  type: 'tool_call',
  id,
  name: 'f',
  kind,
  arguments: input,
})

const result = (callId: string, text: string): ToolResult => ({
  callId,
  content: [{ type: 'text', text }],
})

const calls = (...content: ToolCallPart[]): Turn => ({ role: 'assistant', content })
const results = (...all: ToolResult[]): Turn => ({ role: 'tool', results: all })

interface Item {
  readonly type: string
  readonly call_id: string
  readonly arguments?: string
  readonly output?: string
}

/** Every call that an account is told of, with what it is told to have come of it. */
function told(...turns: Turn[]) {
  const { body } = responsesCodec.encodeRequest(request({ turns }), 'gpt-5', () => {})
  const input = body.input as readonly Item[]
  const made = input.filter(({ type }) => type.endsWith('_call'))
  expect(new Set(made.map(({ call_id }) => call_id)).size).toBe(made.length)
  return made.map((item) => [
    item.arguments ?? 'free text',
    input
      .filter(({ type, call_id }) => type === `${item.type}_output` && call_id === item.call_id)
      .map(({ output }) => output),
  ])
}

test('two calls of one answer under one id go out as two, each with its result', () => {
  expect(
    told(
      calls(call('dup', '1'), call('dup', '2')),
      results(result('dup', 'a'), result('dup', 'b')),
    ),
  ).toEqual([
    ['1', ['a']],
    ['2', ['b']],
  ])
})

test('of two calls under one id with one result, the second one was given up', () => {
  expect(told(calls(call('dup', '1'), call('dup', '2')), results(result('dup', 'a')))).toEqual([
    ['1', ['a']],
    ['2', ['aborted']],
  ])
})

test('an account that numbers the calls of each answer anew gets each result for its own call', () => {
  expect(
    told(
      calls(call('call_0', '1')),
      results(result('call_0', 'a')),
      calls(call('call_0', '2', 'custom')),
      results(result('call_0', 'b')),
    ),
  ).toEqual([
    ['1', ['a']],
    ['free text', ['b']],
  ])
})

test('a call that was never answered does not take the result of a later one of its id', () => {
  expect(
    told(calls(call('call_0', '1')), calls(call('call_0', '2')), results(result('call_0', 'b'))),
  ).toEqual([
    ['1', ['aborted']],
    ['2', ['b']],
  ])
})
