import { describe, expect, it } from 'vitest'

import { collect, decodeStream } from './codec.ts'
import {
  add,
  addInput,
  addText,
  addThinking,
  close,
  emptyCall,
  emptyText,
  emptyThinking,
  ending,
  open,
  start,
} from './replies.ts'

describe('a streamed message of an account', () => {
  it('is told event by event', () => {
    const events = decodeStream([
      start(),
      { type: 'ping' },
      open(0, emptyThinking),
      addThinking(0, 'Hm.'),
      add(0, { type: 'signature_delta', signature: 'c2ln' }),
      close(0),
      open(1, emptyText),
      addText(1, 'Hel'),
      addText(1, 'lo.'),
      close(1),
      ...ending('end_turn'),
    ])
    expect(events).toEqual([
      { type: 'start', id: 'msg_01', model: 'claude-sonnet-4-5-20250929' },
      { type: 'part', index: 0, choice: 0, part: { type: 'reasoning', form: 'summary' } },
      { type: 'delta', index: 0, text: 'Hm.' },
      { type: 'signature', index: 0, signature: { dialect: 'messages', value: 'c2ln' } },
      { type: 'end', index: 0 },
      { type: 'part', index: 1, choice: 0, part: { type: 'text' } },
      { type: 'delta', index: 1, text: 'Hel' },
      { type: 'delta', index: 1, text: 'lo.' },
      { type: 'end', index: 1 },
      { type: 'stop', choice: 0, stop: { reason: 'stop', raw: 'end_turn' } },
      { type: 'finish', usage: { inputTokens: 10, outputTokens: 5 } },
    ])
  })

  it('tells the arguments of calls, and `{}` where there are none', () => {
    const result = collect(
      decodeStream([
        start(),
        open(0, emptyCall('toolu_1')),
        addInput(0, ''),
        addInput(0, '{"city":'),
        addInput(0, ' "Ulm"}'),
        close(0),
        open(1, emptyCall('toolu_2')),
        close(1),
        ...ending('tool_use'),
      ]),
    )
    expect(result?.choices[0]).toEqual({
      content: [
        {
          type: 'tool_call',
          id: 'toolu_1',
          name: 'weather',
          kind: 'function',
          arguments: '{"city": "Ulm"}',
        },
        { type: 'tool_call', id: 'toolu_2', name: 'weather', kind: 'function', arguments: '{}' },
      ],
      stop: { reason: 'tool_calls', raw: 'tool_use' },
    })
  })

  it('keeps redacted thoughts, and signatures without thoughts', () => {
    const result = collect(
      decodeStream([
        start(),
        open(0, { type: 'redacted_thinking', data: 'c2VjcmV0' }),
        close(0),
        open(1, emptyThinking),
        add(1, { type: 'signature_delta', signature: 'c2ln' }),
        close(1),
        ...ending('end_turn'),
      ]),
    )
    expect(result?.choices[0]?.content).toEqual([
      {
        type: 'reasoning',
        text: '',
        form: 'redacted',
        signature: { dialect: 'messages', value: 'c2VjcmV0' },
      },
      {
        type: 'reasoning',
        text: '',
        form: 'summary',
        signature: { dialect: 'messages', value: 'c2ln' },
      },
    ])
  })

  it('cites pages before or after the words that they are for', () => {
    const citation = { type: 'web_search_result_location', url: 'https://x.org', title: null }
    const cite = add(0, { type: 'citations_delta', citation })
    for (const deltas of [
      [cite, addText(0, 'Rain.')],
      [addText(0, 'Rain.'), cite],
    ]) {
      const result = collect(
        decodeStream([start(), open(0, emptyText), ...deltas, close(0), ...ending('end_turn')]),
      )
      expect(result?.choices[0]?.content).toEqual([
        { type: 'text', text: 'Rain.', citations: [{ url: 'https://x.org' }] },
      ])
    }
  })

  it('counts by the last word on each count', () => {
    const cache = { cache_read_input_tokens: 100, cache_creation_input_tokens: 0 }
    const usageOf = (first: object, last: object) =>
      collect(decodeStream([start({ ...first }), ...ending('end_turn', { ...last })]))?.usage
    expect(usageOf({ input_tokens: 10, output_tokens: 1, ...cache }, { output_tokens: 7 })).toEqual(
      { inputTokens: 110, cachedTokens: 100, cacheWriteTokens: 0, outputTokens: 7 },
    )
    expect(
      usageOf(
        { input_tokens: 10, output_tokens: 1 },
        { input_tokens: 20, ...cache, output_tokens: 7 },
      ),
    ).toMatchObject({ inputTokens: 120 })
    expect(usageOf({}, {})).toEqual({})
  })

  it('says at its end why it was refused', () => {
    const [delta, stop] = ending('refusal')
    const stopDetails = { type: 'refusal', category: null, explanation: 'No.' }
    const refused = { ...delta, delta: { stop_reason: 'refusal', stop_details: stopDetails } }
    const result = collect(
      decodeStream([start(), open(0, emptyText), addText(0, 'Well'), refused, stop!]),
    )
    expect(result?.choices[0]).toEqual({
      content: [
        { type: 'text', text: 'Well' },
        { type: 'refusal', text: 'No.' },
      ],
      stop: { reason: 'refused', raw: 'refusal' },
    })
  })
})
