import { describe, expect, it } from 'vitest'

import { unownedSignature } from '../../../src/generate/signatures.ts'
import { replyContext } from './codec.ts'
import { begin, call, delta, end, finish, outline } from './events.ts'

describe('a client of messages with a stream of another dialect', () => {
  it('gets thoughts, words and calls, each in a block of its own', () => {
    expect(
      outline([
        { type: 'start' },
        begin(0, { type: 'reasoning', form: 'raw' }),
        delta(0, 'Hm.'),
        end(0),
        begin(1, { type: 'text' }),
        delta(1, 'I '),
        delta(1, 'look.'),
        end(1),
        begin(2, call('call_1')),
        delta(2, '{"city":'),
        delta(2, '"Ulm"}'),
        end(2),
        ...finish,
      ]),
    ).toEqual([
      'message_start',
      [0, 'thinking', undefined],
      [0, 'thinking_delta', 'Hm.'],
      [0, 'signature_delta', unownedSignature],
      [0],
      [1, 'text', undefined],
      [1, 'text_delta', 'I '],
      [1, 'text_delta', 'look.'],
      [1],
      [2, 'tool_use', 'call_1'],
      [2, 'input_json_delta', '{"city":"Ulm"}'],
      [2],
      'message_delta',
      'message_stop',
    ])
  })

  it('gets calls one after the other that are written at once', () => {
    expect(
      outline([
        { type: 'start' },
        begin(0, call('a')),
        begin(1, call('b')),
        delta(1, '{"b"'),
        delta(0, '{"a"'),
        delta(1, ':2}'),
        end(1),
        begin(2, { type: 'text' }),
        delta(2, 'Wait.'),
        delta(0, ':1}'),
        end(0),
        end(2),
        ...finish,
      ]),
    ).toEqual([
      'message_start',
      [0, 'tool_use', 'a'],
      [0, 'input_json_delta', '{"a":1}'],
      [0],
      [1, 'tool_use', 'b'],
      [1, 'input_json_delta', '{"b":2}'],
      [1],
      [2, 'text', undefined],
      [2, 'text_delta', 'Wait.'],
      [2],
      'message_delta',
      'message_stop',
    ])
  })

  it('gets no block for what says nothing, and no gap in their numbers', () => {
    expect(
      outline([
        { type: 'start' },
        begin(0, { type: 'text' }),
        end(0),
        begin(1, { type: 'reasoning', form: 'raw' }),
        end(1),
        begin(2, { type: 'text' }),
        delta(2, 'Hi.'),
        end(2),
        ...finish,
      ]).slice(1, 4),
    ).toEqual([[0, 'text', undefined], [0, 'text_delta', 'Hi.'], [0]])
  })

  it('gets `{}` as arguments of a call without any, and a marker for what is no JSON', () => {
    const context = replyContext()
    const frames = outline(
      [
        { type: 'start' },
        begin(0, call('a')),
        end(0),
        begin(1, call('b')),
        delta(1, '{"city'),
        end(1),
        ...finish,
      ],
      context,
    )
    expect(frames).toContainEqual([0, 'input_json_delta', '{}'])
    expect(frames).toContainEqual([1, 'input_json_delta', '{"__unparsed_arguments":"{\\"city"}'])
    expect(context.dropped).toEqual(['content[].input'])
  })
})
