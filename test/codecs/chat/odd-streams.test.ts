import { describe, expect, test } from 'vitest'

import { chatCodec } from '../../../plugins/dialects/chat/codec/index.ts'
import type { JsonObject } from '../../../src/lib/json/object.ts'
import type { GenerateEvent } from '../../../src/generate/events.ts'
import { neutral } from './asking.ts'
import { chunk, completion, eventsIn, finish, streamed } from './reading.ts'

const contentOf = (...chunks: JsonObject[]) => streamed(chunks).choices[0]?.content

describe('an almost-compatible stream', () => {
  test('may begin twice, and with a chunk about the prompt', () => {
    const filtered = { id: '', model: '', choices: [], prompt_filter_results: [] }
    const role = chunk({ role: 'assistant', content: '' })
    const events = eventsIn([filtered, role, role, chunk({ content: 'Hi' }), finish('stop')])

    expect(events.filter(({ type }) => type === 'start')).toEqual([
      { type: 'start', id: 'chatcmpl-1', model: 'gpt' },
    ])
    expect(events.filter(({ type }) => type === 'part')).toHaveLength(1)
  })

  test('may have nothing, null and empty pieces in its chunks', () => {
    const chunks = [
      chunk({ content: null, tool_calls: null, refusal: null, reasoning: null }),
      chunk({ content: '', tool_calls: [], function_call: null }),
      chunk({ content: 'Hi', tool_calls: [] }, { finish_reason: '' }),
      { choices: [{ index: 0, delta: null }] },
      { choices: [null] },
      { object: 'ping' },
      chunk({ content: '!', tool_calls: [] }),
      finish('stop'),
    ]

    expect(contentOf(...chunks)).toEqual([{ type: 'text', text: 'Hi!' }])
  })

  test('may say more after it has said why it finished', () => {
    expect(contentOf(finish('stop'), chunk({ content: 'Hi' }), finish('stop'))).toEqual([
      { type: 'text', text: 'Hi' },
    ])
  })

  test('may think again between its texts', () => {
    const content = contentOf(
      chunk({ reasoning: 'a' }),
      chunk({ content: 'b' }),
      chunk({ reasoning: 'c' }),
      chunk({ content: 'd' }),
      finish('stop'),
    )

    expect(content?.map((part) => 'text' in part && part.text)).toEqual(['a', 'b', 'c', 'd'])
  })

  test('may think and say no more', () => {
    const chunks = [chunk({ reasoning_content: 'Hm.' }), finish('length')]

    expect(streamed(chunks).choices).toMatchObject([
      { content: [{ type: 'reasoning', text: 'Hm.' }], stop: { reason: 'length' } },
    ])
  })

  test('may send the whole message at once, or again at the end', () => {
    const [whole] = completion({ content: 'Hi' }).choices
    const last = { id: 'chatcmpl-1', model: 'gpt', choices: [whole] }

    expect(contentOf(last)).toEqual([{ type: 'text', text: 'Hi' }])
    expect(contentOf(chunk({ content: 'Hi' }), last)).toEqual([{ type: 'text', text: 'Hi' }])
  })

  test('may call a function as it was done before', () => {
    const chunks = [
      chunk({ role: 'assistant', content: null, function_call: { name: 'look', arguments: '' } }),
      chunk({ function_call: { arguments: '{"a"' } }),
      chunk({ function_call: { arguments: ':1}' } }),
      finish('function_call'),
    ]

    expect(streamed(chunks).choices).toMatchObject([
      { content: [{ name: 'look', arguments: '{"a":1}' }], stop: { reason: 'tool_calls' } },
    ])
  })

  test('may tell the likelihood of tokens that are no whole character', () => {
    const logprobs = (token: string) => ({ content: [{ token, logprob: -1, top_logprobs: [] }] })
    const chunks = [
      chunk({ content: '' }, { logprobs: logprobs('\\xf0') }),
      chunk({ content: '🙂' }, { logprobs: logprobs('\\x9f') }),
      finish('stop'),
    ]

    expect(contentOf(...chunks)).toEqual([
      {
        type: 'text',
        text: '🙂',
        logprobs: [
          { token: '\\xf0', logprob: -1, top: [] },
          { token: '\\x9f', logprob: -1, top: [] },
        ],
      },
    ])
  })
})

describe('a stream that tells of a failure', () => {
  test.each<[JsonObject, string, string, number]>([
    [{ error: { message: 'Busy', type: 'server_error', code: null } }, '', 'Busy', 500],
    [{ error: { message: 'Slow', code: '429' } }, '', 'Slow', 429],
    [{ error: 'Gone' }, '', 'Gone', 502],
    [{ message: 'Told by name' }, 'error', 'Told by name', 502],
    [
      chunk({ content: '' }, { finish_reason: 'error', error: { message: 'Died', code: 502 } }),
      '',
      'Died',
      502,
    ],
  ])('as %j ends with it', (data, name, message, status) => {
    const events: GenerateEvent[] = []
    const decoder = chatCodec.decodeEvents(neutral(), (event) => events.push(event))
    decoder.decode(chunk({ content: 'Hi' }), '')
    decoder.decode(data, name)
    decoder.decode(finish('stop'), '')
    decoder.done?.()
    decoder.end?.()

    expect(events.at(-1)).toEqual({ type: 'error', message, status })
    expect(events.filter(({ type }) => type === 'finish')).toEqual([])
  })
})
