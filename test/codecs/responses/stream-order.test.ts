import { expect, test } from 'vitest'

import { eventsOf } from '../../../src/generate/replay.ts'
import { finalResponse, framesOf, readFrames, written } from './codec.ts'
import { hello, replies, reply, shout, thought, weather } from './replies.ts'

const typesOf = (events: readonly { type: string }[]) =>
  events.map(({ type }) => type.replace('response.', ''))

test('a text comes in the order that every SDK accepts', () => {
  expect(typesOf(written(reply([hello])))).toEqual([
    'created',
    'in_progress',
    'output_item.added',
    'content_part.added',
    'output_text.delta',
    'output_text.done',
    'content_part.done',
    'output_item.done',
    'completed',
  ])
})

test('a response is announced once', () => {
  const events = readFrames(framesOf([{ type: 'start' }, { type: 'start' }]))
  expect(typesOf(events)).toEqual(['created', 'in_progress'])
})

test('a summary comes in parts of its own, a call with its arguments', () => {
  const events = written(reply([thought, weather, shout], { reason: 'tool_calls' }))
  expect(typesOf(events).slice(2, -1)).toEqual([
    'output_item.added',
    'reasoning_summary_part.added',
    'reasoning_summary_text.delta',
    'reasoning_summary_text.done',
    'reasoning_summary_part.done',
    'output_item.done',
    'output_item.added',
    'function_call_arguments.delta',
    'function_call_arguments.done',
    'output_item.done',
    'output_item.added',
    'custom_tool_call_input.delta',
    'custom_tool_call_input.done',
    'output_item.done',
  ])
})

test('plain thoughts are a part of the kind reasoning_text before their first words', () => {
  const events = written(reply([{ type: 'reasoning', form: 'raw', text: 'Hm.' }]))
  expect(typesOf(events).slice(3, 7)).toEqual([
    'content_part.added',
    'reasoning_text.delta',
    'reasoning_text.done',
    'content_part.done',
  ])
  expect(events[3]?.part).toEqual({ type: 'reasoning_text', text: '' })
})

test.each(Object.entries(replies))('%s: events are numbered from 0 without gaps', (_, result) => {
  const events = written(result)
  expect(events.map(({ sequence_number }) => sequence_number)).toEqual([...events.keys()])
})

test.each(Object.entries(replies))('%s: items are numbered from 0 without gaps', (_, result) => {
  const added = written(result).filter(({ type }) => type === 'response.output_item.added')
  expect(added.map(({ output_index }) => output_index)).toEqual([...added.keys()])
})

test.each(Object.entries(replies))('%s: ids stay from the first event to the last', (_, result) => {
  const events = written(result)
  const idOf = (event: object | undefined) => (event as { response: { id: string } }).response.id
  expect(idOf(events[0])).toBe(idOf(events.at(-1)))
  const itemsOf = (type: string) =>
    events.filter((event) => event.type === type).map(({ item }) => item)
  const { output } = finalResponse(events)
  const ids = output.map(({ id }) => id)
  expect(itemsOf('response.output_item.added').map((item) => (item as { id: string }).id)).toEqual(
    ids,
  )
  const done = itemsOf('response.output_item.done') as { id: string }[]
  expect(output).toEqual(ids.map((id) => done.find((item) => item.id === id)))
})

test('every event line says the type of its data, and the stream ends with [DONE]', () => {
  const frames = framesOf(eventsOf(reply([thought, hello])))
    .split('\n\n')
    .slice(0, -1)
  expect(frames.pop()).toBe('data: [DONE]')
  for (const frame of frames) {
    const [name, data, ...more] = frame.split('\n')
    expect(more).toEqual([])
    expect(name).toBe(`event: ${(JSON.parse(data?.slice(6) ?? '') as { type: string }).type}`)
  }
})
