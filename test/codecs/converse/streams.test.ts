import { describe, expect, test } from 'vitest'

import { type Event, asked, ending, greeting, read } from './stream.ts'

const block = (contentBlockIndex: number, ...deltas: object[]): Event[] => [
  ...deltas.map((delta): Event => ['contentBlockDelta', { contentBlockIndex, delta }]),
  ['contentBlockStop', { contentBlockIndex }],
]
const start: Event = ['messageStart', { role: 'assistant' }]
const stopFor = (stopReason: string, more: object = {}): Event => [
  'messageStop',
  { stopReason, ...more },
]

describe('a stream of Converse', () => {
  test('is not complete without `messageStop`', () => {
    expect(read(greeting).result).toBeUndefined()
    expect(read([...greeting, ending[1]!]).result).toBeUndefined()
  })

  test('has the usage that follows `messageStop`, and ends with it', () => {
    const { events, frames } = read([...greeting, ...ending])
    expect(frames.at(-2)).toEqual([])
    expect(events.at(-1)).toEqual({ type: 'finish', usage: { inputTokens: 3, outputTokens: 2 } })
  })

  test('is complete without `metadata`, and its usage is unknown', () => {
    const { result } = read([...greeting, ending[0]!])
    expect(result).toMatchObject({ choices: [{ stop: { reason: 'stop' } }], usage: {} })
    expect(result?.usage).toEqual({})
  })

  test('is broken if `messageStop` has no reason', () => {
    expect(() => read([...greeting, ['messageStop', {}], ending[1]!])).toThrow('stop reason')
  })

  test('may have events of the future, and the padding of all events', () => {
    const { result } = read([['eventOfTheFuture', { a: 1, p: 'ab' }], ...greeting, ...ending])
    expect(result?.choices[0]?.content).toEqual([{ type: 'text', text: 'Grüezi' }])
  })

  test('has calls in pieces, and one without arguments', () => {
    const call = (contentBlockIndex: number, name: string): Event => [
      'contentBlockStart',
      { contentBlockIndex, start: { toolUse: { toolUseId: `t${contentBlockIndex}`, name } } },
    ]
    const { result } = read([
      start,
      call(0, 'look'),
      ...block(
        0,
        { toolUse: { input: '' } },
        { toolUse: { input: '{"a"' } },
        { toolUse: { input: ':1}' } },
      ),
      call(1, 'hear'),
      ...block(1),
      stopFor('tool_use'),
      ending[1]!,
    ])
    expect(result?.choices[0]).toMatchObject({
      content: [
        { type: 'tool_call', id: 't0', name: 'look', arguments: '{"a":1}' },
        { type: 'tool_call', id: 't1', name: 'hear', arguments: '{}' },
      ],
      stop: { reason: 'tool_calls', raw: 'tool_use' },
    })
  })

  test.each([
    ['a few large ones', 9, 'A'.repeat(4 * 1024 * 1024)],
    ['endless small ones', 33_000, 'AAAA'],
  ])('holds no more of an image than 32 MiB: of %s', (_, count, bytes) => {
    const piece = { image: { source: { bytes } } }
    const opened: Event = [
      'contentBlockStart',
      { contentBlockIndex: 0, start: { image: { format: 'png' } } },
    ]
    const pieces = Array.from({ length: count }, () => piece)
    expect(() => read([start, opened, ...block(0, ...pieces), ...ending])).toThrow('too large')
  })

  test('has reasoning with its signature, and reasoning that is redacted', () => {
    const { result } = read([
      start,
      ...block(
        0,
        { reasoningContent: { text: 'Hm' } },
        { reasoningContent: { text: '.' } },
        { reasoningContent: { signature: 'c2ln' } },
      ),
      ...block(1, { reasoningContent: { redactedContent: 'c2VjcmV0' } }),
      ...block(2, { text: 'Hi' }),
      ...ending,
    ])
    expect(result?.choices[0]?.content).toEqual([
      {
        type: 'reasoning',
        form: 'summary',
        text: 'Hm.',
        signature: { dialect: 'converse', value: 'c2ln' },
      },
      {
        type: 'reasoning',
        form: 'redacted',
        text: '',
        signature: { dialect: 'converse', value: 'c2VjcmV0' },
      },
      { type: 'text', text: 'Hi' },
    ])
  })

  test('leaves out the tools of the account, and has the citations and images of the answer', () => {
    const png = Buffer.from('one image')
    const web = {
      title: 'A',
      location: { web: { url: 'https://a.example/', domain: 'a.example' } },
    }
    const { result } = read([
      start,
      [
        'contentBlockStart',
        {
          contentBlockIndex: 0,
          start: { toolUse: { toolUseId: 's', name: 'search', type: 'server_tool_use' } },
        },
      ],
      ...block(0, { toolUse: { input: '{}' } }),
      ['contentBlockStart', { contentBlockIndex: 1, start: { toolResult: { toolUseId: 's' } } }],
      ...block(1, { toolResult: [{ text: 'found' }] }),
      ...block(2, { text: 'It is A.' }, { citation: web }, { citation: { title: 'a document' } }),
      ['contentBlockStart', { contentBlockIndex: 3, start: { image: { format: 'png' } } }],
      ...block(
        3,
        { image: { source: { bytes: png.subarray(0, 4).toString('base64') } } },
        { image: { source: { bytes: png.subarray(4).toString('base64') } } },
      ),
      ...ending,
    ])
    expect(result?.choices[0]?.content).toEqual([
      { type: 'text', text: 'It is A.', citations: [{ url: 'https://a.example/', title: 'A' }] },
      {
        type: 'image',
        mediaType: 'image/png',
        source: { kind: 'data', base64: png.toString('base64') },
      },
    ])
  })

  test.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'context'],
    ['content_filtered', 'filtered'],
    ['guardrail_intervened', 'filtered'],
    ['reason_of_the_future', 'stop'],
  ])('that ends with %s has ended for the reason %s', (raw, reason) => {
    const { result } = read([...greeting, stopFor(raw), ending[1]!])
    expect(result?.choices[0]?.stop).toEqual({ reason, raw })
  })

  test('names the stop sequence that ended it', () => {
    const stops = [...greeting, stopFor('stop_sequence'), ending[1]!]
    const only = read(stops, { ...asked, stop: ['END'] }).result
    expect(only?.choices[0]?.stop.sequence).toBe('END')
    const one = { additionalModelResponseFields: { stop_sequence: 'B' } }
    const told = [...greeting, stopFor('stop_sequence', one), ending[1]!]
    const named = read(told, { ...asked, stop: ['A', 'B'] }).result
    expect(named?.choices[0]?.stop.sequence).toBe('B')
    const unknown = read(stops, { ...asked, stop: ['A', 'B'] }).result
    expect(unknown?.choices[0]?.stop.sequence).toBeUndefined()
  })

  test.each(['malformed_model_output', 'malformed_tool_use'])(
    'that ends with %s is no answer',
    (raw) => {
      const { events } = read([...greeting, stopFor(raw), ending[1]!])
      expect(events.at(-1)).toMatchObject({ type: 'error', status: 502, about: 'answer' })
    },
  )

  test('without content that ends for an unknown reason is no answer', () => {
    const { events } = read([start, stopFor('reason_of_the_future'), ending[1]!])
    expect(events.at(-1)).toMatchObject({ type: 'error', about: 'answer' })
  })

  test('counts tokens of caches once, and knows the tier', () => {
    const metadata = {
      usage: {
        inputTokens: 10,
        outputTokens: 2,
        totalTokens: 62,
        cacheReadInputTokens: 30,
        cacheWriteInputTokens: 20,
        cacheDetails: [
          { ttl: '1h', inputTokens: 15 },
          { ttl: '5m', inputTokens: 5 },
        ],
      },
      serviceTier: { type: 'priority' },
      performanceConfig: { latency: 'standard' },
    }
    const { result } = read([...greeting, ending[0]!, ['metadata', metadata]])
    expect(result?.usage).toEqual({
      inputTokens: 60,
      outputTokens: 2,
      cachedTokens: 30,
      cacheWriteTokens: 20,
      cacheWrite1hTokens: 15,
      tier: 'priority',
    })
  })
})
