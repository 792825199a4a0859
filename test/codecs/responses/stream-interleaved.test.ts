import { expect, test } from 'vitest'

import type { GenerateEvent } from '../../../src/generate/events.ts'
import { collected, finalResponse, framesOf, readFrames } from './codec.ts'
import { usage } from './replies.ts'

const call = (id: string) => ({ type: 'tool_call', id, name: 'weather', kind: 'function' }) as const

const interleaved: GenerateEvent[] = [
  { type: 'start' },
  { type: 'part', index: 0, choice: 0, part: { type: 'text' } },
  { type: 'delta', index: 0, text: 'Let me' },
  { type: 'part', index: 1, choice: 0, part: call('a') },
  { type: 'part', index: 2, choice: 0, part: call('b') },
  { type: 'delta', index: 2, text: '{"b":' },
  { type: 'delta', index: 0, text: ' look' },
  { type: 'delta', index: 1, text: '{"a":1}' },
  { type: 'delta', index: 2, text: '2}' },
  { type: 'end', index: 1 },
  { type: 'end', index: 0 },
  { type: 'end', index: 2 },
  { type: 'stop', choice: 0, stop: { reason: 'tool_calls' } },
  { type: 'finish', usage },
]

test('parts that come at the same time stay apart', () => {
  const events = readFrames(framesOf(interleaved))
  const { output } = finalResponse(events)
  expect(output).toMatchObject([
    { type: 'message', status: 'completed', content: [{ text: 'Let me look' }] },
    { type: 'function_call', status: 'completed', call_id: 'a', arguments: '{"a":1}' },
    { type: 'function_call', status: 'completed', call_id: 'b', arguments: '{"b":2}' },
  ])
})

test('each item ends once, and before the response does', () => {
  const events = readFrames(framesOf(interleaved))
  const done = events.filter(({ type }) => type === 'response.output_item.done')
  expect(new Set(done.map(({ output_index }) => output_index))).toEqual(new Set([0, 1, 2]))
  expect(done).toHaveLength(3)
  expect(events.at(-1)?.type).toBe('response.completed')
})

test('what was written so can be read again', () => {
  const [choice] = collected(readFrames(framesOf(interleaved)))?.choices ?? []
  expect(choice?.stop.reason).toBe('tool_calls')
  expect(choice?.content).toMatchObject([
    { type: 'text', text: 'Let me look' },
    { type: 'tool_call', id: 'a', arguments: '{"a":1}' },
    { type: 'tool_call', id: 'b', arguments: '{"b":2}' },
  ])
})

test('a text that goes on after a thought is another message', () => {
  const events: GenerateEvent[] = [
    { type: 'part', index: 0, choice: 0, part: { type: 'text' } },
    { type: 'delta', index: 0, text: 'one' },
    { type: 'end', index: 0 },
    { type: 'part', index: 1, choice: 0, part: { type: 'reasoning', form: 'raw' } },
    { type: 'delta', index: 1, text: 'wait' },
    { type: 'end', index: 1 },
    { type: 'part', index: 2, choice: 0, part: { type: 'text' } },
    { type: 'delta', index: 2, text: 'two' },
    { type: 'end', index: 2 },
    { type: 'stop', choice: 0, stop: { reason: 'stop' } },
    { type: 'finish', usage },
  ]
  const { output, output_text } = finalResponse(readFrames(framesOf(events)))
  expect(output.map(({ type }) => type)).toEqual(['message', 'reasoning', 'message'])
  expect(output_text).toBe('onetwo')
})

test('texts and thoughts without a word are not shown', () => {
  const events: GenerateEvent[] = [
    { type: 'part', index: 0, choice: 0, part: { type: 'reasoning', form: 'raw' } },
    { type: 'end', index: 0 },
    { type: 'part', index: 1, choice: 0, part: { type: 'text' } },
    { type: 'end', index: 1 },
    { type: 'stop', choice: 0, stop: { reason: 'stop' } },
    { type: 'finish', usage },
  ]
  const shown = readFrames(framesOf(events))
  expect(shown.map(({ type }) => type)).toEqual([
    'response.created',
    'response.in_progress',
    'response.completed',
  ])
})
