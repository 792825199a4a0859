import { describe, expect, test } from 'vitest'

import { chatCodec } from '../../../plugins/dialects/chat/codec/index.ts'
import { neutral } from './asking.ts'
import { completion, read } from './reading.ts'

const decodeResult = (reply: object) =>
  chatCodec.decodeResult(reply as Readonly<Record<string, unknown>>, neutral())

function contentOf(message: Readonly<Record<string, unknown>>) {
  return read(completion(message)).choices[0]?.content
}

describe('an almost-compatible account', () => {
  test('may call its reasoning `reasoning`, or say it under both names', () => {
    const thought = { type: 'reasoning', form: 'raw', text: 'Hm.' }

    expect(contentOf({ reasoning: 'Hm.' })).toMatchObject([thought])
    expect(contentOf({ reasoning: 'Hm.', reasoning_content: 'Hm.' })).toMatchObject([thought])
    expect(contentOf({ reasoning: null, reasoning_content: '' })).toEqual([])
  })

  test('may write its content as a list of thoughts and texts', () => {
    const content = [
      { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] },
      { type: 'text', text: 'Hi' },
      { type: 'reference', reference_ids: [1] },
    ]

    expect(contentOf({ content })).toMatchObject([
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: 'Hi' },
    ])
  })

  test('may leave the ids of calls out: they get some that stay the same', () => {
    const call = { type: 'function', function: { name: 'look', arguments: '{}' } }
    const tool_calls = [call, call, { ...call, id: '' }]
    const ids = (contentOf({ tool_calls }) ?? []).map((part) => 'id' in part && part.id)

    expect(new Set(ids).size).toBe(3)
    expect(ids.every((id) => /^call_[A-Za-z0-9]{1,24}$/.test(String(id)))).toBe(true)
    expect((contentOf({ tool_calls }) ?? []).map((part) => 'id' in part && part.id)).toEqual(ids)
  })

  test('may give parallel calls of the same tool one id', () => {
    const call = (at: string) => ({
      id: 'call_look',
      type: 'function',
      function: { name: 'look', arguments: at },
    })
    const content = contentOf({ tool_calls: [call('{"at":1}'), call('{"at":2}')] })

    expect(content).toMatchObject([
      { id: 'call_look', arguments: '{"at":1}' },
      { id: expect.not.stringMatching('call_look'), arguments: '{"at":2}' },
    ])
  })

  test('may write arguments as an object, or none', () => {
    const call = (input?: unknown) => ({ id: 'a', function: { name: 'look', arguments: input } })
    const inputs = [{ at: 1 }, '', null, undefined].map((input) => {
      const [part] = contentOf({ tool_calls: [call(input)] }) ?? []
      return part?.type === 'tool_call' && part.arguments
    })

    expect(inputs).toEqual(['{"at":1}', '', '', ''])
  })

  test('may show pictures and speak', () => {
    const images = [{ type: 'image_url', image_url: { url: 'data:image/png;base64,iVBO' } }]

    expect(contentOf({ content: 'Here.', images })).toEqual([
      { type: 'text', text: 'Here.' },
      { type: 'image', mediaType: 'image/png', source: { kind: 'data', base64: 'iVBO' } },
    ])
    expect(contentOf({ content: null, audio: { transcript: 'Hello', data: 'a' } })).toEqual([
      { type: 'text', text: 'Hello' },
    ])
  })

  test.each([
    [{ error: { message: 'Slow down', type: 'rate_limit_error' } }, 'Slow down', 429],
    [{ error: { message: 'Busy', code: 503 } }, 'Busy', 503],
    [{ error: 'Out of order' }, 'Out of order', 502],
    [{ object: 'error', message: 'Too long', code: 400 }, 'Too long', 400],
    [
      completion({}, { finish_reason: 'error', error: { message: 'Died', code: 504 } }),
      'Died',
      504,
    ],
    [
      completion({}, { finish_reason: 'insufficient_system_resource' }),
      'The upstream reported an error.',
      503,
    ],
    [
      completion({ tool_calls: [{ id: 'a', function: { arguments: '{}' } }] }),
      'The upstream sent a function call without a name.',
      502,
    ],
  ])('that answers %j has failed', (reply, message, status) => {
    expect(decodeResult(reply)).toEqual({ type: 'error', message, status })
  })

  test.each([
    {},
    { choices: [] },
    { choices: null },
    { choices: [null] },
    { choices: [{ index: 0, finish_reason: 'stop' }] },
    { choices: [{ index: 7, message: { content: 'Hi' }, finish_reason: 'stop' }] },
  ])('that answers %j has sent no reply', (reply) => {
    expect(() => decodeResult(reply)).toThrow(
      expect.objectContaining({ code: 'upstream_invalid_reply' }),
    )
  })
})
