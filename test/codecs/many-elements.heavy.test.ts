import { expect, test } from 'vitest'

import { Queue } from '../../src/lib/queue.ts'
import type { AssistantPart, ToolCallPart } from '../../src/generate/content.ts'
import type { GenerateEvent } from '../../src/generate/events.ts'
import { matchResults } from '../../src/generate/match-results.ts'
import type { Turn } from '../../src/generate/request.ts'
import { SignatureCollector } from '../../src/translate/signature-collector.ts'
import { attachSignatures } from '../../plugins/dialects/responses/codec/signed-parts.ts'
import {
  MatchedResults,
  textTurns,
} from '../../plugins/dialects/chat/codec/encode-request/turns.ts'
import * as chat from './chat/reading.ts'
import * as generate from './generate/codec.ts'
import * as responses from './responses/codec.ts'

/** So many that work for each pair of them would take minutes. */
const count = 150_000

const each = <T>(make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))

const call = (at: number) => ({
  id: `c${at}`,
  type: 'function',
  function: { name: 'f', arguments: '' },
})

/** Many calls in one event, all of which are open. */
function manyCalls(): GenerateEvent[] {
  const calls = each((at) => ({ index: at, ...call(at) }))
  return chat.eventsIn([chat.chunk({ tool_calls: calls }), chat.finish('tool_calls')])
}

test('many calls in one event are read and written', () => {
  const events = manyCalls()
  const [choice] = chat.collected(events).choices
  expect(choice?.content).toHaveLength(count)
  expect(generate.write(events)).toContain('"functionCall"')
  expect(responses.framesOf(events)).toContain(`"call_id":"c${count - 1}"`)
}, 60_000)

test('many calls in one event without numbers are told apart by their ids', () => {
  const [choice] = chat.streamed([
    chat.chunk({ tool_calls: each(call) }),
    chat.chunk({ tool_calls: each((at) => ({ id: `c${at}`, function: { arguments: '{}' } })) }),
    chat.finish('tool_calls'),
  ]).choices
  expect(choice?.content.at(-1)).toMatchObject({ id: `c${count - 1}`, arguments: '{}' })
}, 60_000)

const calls: ToolCallPart[] = each(() => ({
  type: 'tool_call',
  kind: 'function',
  id: 'c',
  name: 'f',
  arguments: '{}',
}))

test('many results of one id answer the calls in their order', () => {
  const results = each(() => ({ callId: 'c', content: [] }))
  const matched = matchResults([
    { role: 'assistant', content: calls },
    { role: 'tool', results },
  ])
  expect(matched.get(calls.at(-1)!)).toBe(results.at(-1))
})

test('many events that wait pass in their order', () => {
  const queue = new Queue<GenerateEvent>()
  for (const index of Array(count).keys()) queue.push({ type: 'end', index })
  for (const index of Array(count).keys()) expect(queue.take()).toEqual({ type: 'end', index })
  expect(queue.isEmpty).toBe(true)
})

test('many thoughts before a call are collected', () => {
  const collector = new SignatureCollector()
  const signature = { dialect: 'messages', value: 's' } as const
  for (const index of Array(count).keys()) {
    const part = { type: 'reasoning', form: 'summary' } as const
    collector.push({ type: 'part', index, choice: 0, part })
    collector.push({ type: 'signature', index, signature })
  }
  const part = { type: 'tool_call', kind: 'function', id: 'c', name: 'f' } as const
  collector.push({ type: 'part', index: count, choice: 0, part })
  expect(collector.calls[0]?.reasoning).toHaveLength(count)
})

test('many thoughts that sign calls find them', () => {
  const parts: AssistantPart[] = each((at): AssistantPart[] => [
    {
      type: 'reasoning',
      form: 'redacted',
      text: '',
      signature: { dialect: 'x', value: 's', id: `c${at}` },
    },
    { type: 'tool_call', kind: 'function', id: `c${at}`, name: 'f', arguments: '{}' },
  ]).flat()
  const attached = attachSignatures(parts)
  expect(attached).toHaveLength(count)
  expect(attached.at(-1)).toMatchObject({ id: `c${count - 1}`, signature: { value: 's' } })
})

test('many answers that follow each other become one', () => {
  const turns: Turn[] = each(() => ({ role: 'assistant', content: [{ type: 'text', text: 'a' }] }))
  const [answer, ...others] = textTurns(turns, new MatchedResults(turns))
  expect(answer?.content).toHaveLength(count)
  expect(others).toEqual([])
  expect(turns[0]).toEqual({ role: 'assistant', content: [{ type: 'text', text: 'a' }] })
})
