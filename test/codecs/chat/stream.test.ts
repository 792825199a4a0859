import { describe, expect, test } from 'vitest'

import { chunk, eventsIn, finish, streamed } from './reading.ts'

const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 }
const hello = [chunk({ role: 'assistant', content: '' }), chunk({ content: 'Hi' })]
const lastly = { id: 'chatcmpl-1', model: 'gpt', choices: [], usage }

describe('a stream of an account', () => {
  test('is read in order', () => {
    const chunks = [
      chunk({ role: 'assistant', content: '', refusal: null }),
      chunk({ reasoning_content: 'Hm' }),
      chunk({ reasoning_content: '.' }),
      chunk({ content: 'He' }),
      chunk({ content: 'llo' }),
      finish('stop'),
      lastly,
    ]

    expect(eventsIn(chunks)).toEqual([
      { type: 'start', id: 'chatcmpl-1', model: 'gpt' },
      { type: 'part', index: 0, choice: 0, part: { type: 'reasoning', form: 'raw' } },
      { type: 'delta', index: 0, text: 'Hm' },
      { type: 'delta', index: 0, text: '.' },
      {
        type: 'signature',
        index: 0,
        signature: { dialect: 'chat', value: 'reasoning_content' },
      },
      { type: 'end', index: 0 },
      { type: 'part', index: 1, choice: 0, part: { type: 'text' } },
      { type: 'delta', index: 1, text: 'He' },
      { type: 'delta', index: 1, text: 'llo' },
      { type: 'end', index: 1 },
      { type: 'stop', choice: 0, stop: { reason: 'stop', raw: 'stop' } },
      { type: 'finish', usage: { inputTokens: 3, outputTokens: 2 } },
    ])
  })

  test('hands every delta on as soon as it comes', () => {
    expect(eventsIn(hello, { ending: 'open' }).at(-1)).toEqual({
      type: 'delta',
      index: 0,
      text: 'Hi',
    })
  })

  test.each([
    ['in the chunk that finishes', [...hello, finish('stop', { usage })]],
    ['after it', [...hello, finish('stop', { usage: null }), lastly]],
    ['in every chunk, counted on', [...hello, finish('stop', { usage: {} }), lastly]],
    ['with a choice beside it', [...hello, finish('stop'), chunk({}, {}, { usage })]],
  ])('has its usage %s', (_, chunks) => {
    expect(streamed(chunks).usage).toEqual({ inputTokens: 3, outputTokens: 2 })
  })

  test('without usage has unknown usage, never 0', () => {
    expect(streamed([...hello, finish('stop')]).usage).toEqual({})
  })

  test('ends with [DONE], or without it once every choice has finished', () => {
    const chunks = [...hello, finish('stop')]

    expect(streamed(chunks, { ending: 'end' })).toEqual(streamed(chunks, { ending: 'done' }))
    expect(eventsIn(chunks, { ending: 'open' }).at(-1)?.type).toBe('delta')
  })

  test('that ends before it has finished is not complete', () => {
    const types = eventsIn(hello, { ending: 'end' }).map(({ type }) => type)
    expect(types).toEqual(['start', 'part', 'delta'])
  })

  test.each(['done', 'end'] as const)('that is %s without an answer is not complete', (ending) => {
    expect(eventsIn([], { ending })).toEqual([])
    expect(eventsIn([lastly], { ending })).toEqual([])
  })

  test('of two answers is not complete with [DONE] if only one says why it has finished', () => {
    const chunks = [chunk({ content: 'A' }, { index: 1 }), chunk({ content: 'B' }), finish('stop')]
    const events = eventsIn(chunks, { request: { candidates: 2 } })
    expect(events.some(({ type }) => type === 'finish')).toBe(false)
  })

  test('of two answers is complete when both are', () => {
    const second = (content: string) => chunk({ content }, { index: 1 })
    const both = [chunk({ content: 'A' }), second('B'), chunk({ content: 'a' }), finish('stop')]
    const request = { candidates: 2 }
    const last = chunk({}, { index: 1, finish_reason: 'length' })

    expect(eventsIn(both, { request }).at(-1)?.type).toBe('delta')
    expect(streamed([...both, last], { request }).choices).toMatchObject([
      { content: [{ text: 'Aa' }], stop: { reason: 'stop' } },
      { content: [{ text: 'B' }], stop: { reason: 'length' } },
    ])
  })

  test('of one answer, where two were asked for, needs [DONE]', () => {
    const chunks = [...hello, finish('stop')]
    const request = { candidates: 2 }

    expect(eventsIn(chunks, { request, ending: 'end' }).at(-1)?.type).toBe('delta')
    expect(streamed(chunks, { request }).choices).toHaveLength(1)
  })

  test('says nothing after its end', () => {
    const events = eventsIn([...hello, finish('stop')])
    const again = eventsIn([...hello, finish('stop'), finish('stop')])

    expect(again).toEqual(events)
    expect(events.filter(({ type }) => type === 'finish')).toHaveLength(1)
  })
})
