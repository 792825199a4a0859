import { describe, expect, it } from 'vitest'

import { messagesCodec } from '../../../plugins/dialects/messages/codec/index.ts'
import type { AssistantPart } from '../../../src/generate/content.ts'
import { unownedSignature } from '../../../src/generate/signatures.ts'
import { answer, asked, replyContext } from './codec.ts'
import { begin, call, delta, end, finish, outline } from './events.ts'

const budget = { type: 'enabled', budget_tokens: 1024 }
const asking = (thinking: object) => ({ ...replyContext(), rawRequest: asked({ thinking }) })

const called = (id: string): AssistantPart => {
  return { type: 'tool_call', id, name: 'weather', kind: 'function', arguments: '{}' }
}
const thought: AssistantPart = { type: 'reasoning', form: 'raw', text: 'Hm.' }

function blocksOf(thinking: object, ...content: AssistantPart[]): unknown[] {
  const { body } = messagesCodec.encodeResult(answer(...content), asking(thinking))
  return (body.content as { type: string }[]).map(({ type }) => type)
}

describe('a client of messages with a budget for thoughts', () => {
  it('gets calls that nobody thought about with a mark of that before the first', () => {
    expect(blocksOf(budget, { type: 'text', text: 'I look.' }, called('a'), called('b'))).toEqual([
      'text',
      'thinking',
      'tool_use',
      'tool_use',
    ])
    const events = [0, 1].flatMap((index) => [begin(index, call(`c${index}`)), end(index)])
    expect(outline([...events, ...finish], asking(budget)).slice(0, 4)).toEqual([
      [0, 'thinking', undefined],
      [0, 'signature_delta', unownedSignature],
      [0],
      [1, 'tool_use', 'c0'],
    ])
    expect(outline([...events, ...finish], asking(budget))).toContainEqual([2, 'tool_use', 'c1'])
  })

  it('gets no mark where there are thoughts, or no calls', () => {
    expect(blocksOf(budget, thought, called('a'))).toEqual(['thinking', 'tool_use'])
    expect(blocksOf(budget, { type: 'text', text: 'So.' })).toEqual(['text'])
    const events = [begin(0, { type: 'reasoning', form: 'raw' }), delta(0, 'Hm.'), end(0)]
    const stream = [...events, begin(1, call('a')), end(1), ...finish]
    expect(outline(stream, asking(budget))).toContainEqual([1, 'tool_use', 'a'])
  })
})

describe('a client of messages that leaves it to the model', () => {
  it('gets no mark', () => {
    expect(blocksOf({ type: 'adaptive' }, called('a'))).toEqual(['tool_use'])
    const stream = [begin(0, call('a')), end(0), ...finish]
    expect(outline(stream, asking({ type: 'adaptive' }))[0]).toEqual([0, 'tool_use', 'a'])
  })
})
