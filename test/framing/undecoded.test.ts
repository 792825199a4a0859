import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import type { Framing } from '../../src/contract/framing.ts'
import { eventStream, jsonArray, ndjson, sse } from '../../src/dialect-kit/index.ts'
import { frameUndecoded, onOneLine, readUndecoded } from '../../src/kit/framing/undecoded.ts'

const framings = { sse, ndjson, jsonArray, eventStream }

/** Frames of all kinds of lines, some of which have no meaning. */
const line = fc.oneof(
  fc.constantFrom('data', 'data:', 'data: ', 'data:  x', 'database: x', 'data: {"é":1}', 'data:{'),
  fc.constantFrom('event: a', 'event:b', 'event', 'events: c', ': a comment', ':', 'id: 1', 'x'),
)
const lines = fc.array(fc.tuple(line, fc.constantFrom('\n', '\r', '\r\n')), { maxLength: 6 })
const frames = lines.map((all) => Buffer.from(`${all.flat().join('')}\n\n`))

/** JSON means the same with other blanks. */
function withoutBlanks(data: string | Buffer | undefined): string {
  return String(data ?? '').replaceAll(/[\s]/g, '')
}

/** What a framing reads when it decodes: a derived framing has to. */
function decoded(framing: Framing, frame: Buffer) {
  return readUndecoded({ ...framing }, frame)
}

describe('a server-sent event that is not decoded', () => {
  test('has the name and the data of one that is', () => {
    fc.assert(
      fc.property(frames, (frame) => {
        const { name, data } = readUndecoded(sse, frame)
        expect(name).toBe(sse.parse(frame).name)
        expect(withoutBlanks(data)).toBe(withoutBlanks(sse.parse(frame).data))
        expect(String(data)).not.toMatch(/[\r\n]/)
      }),
    )
  })

  test('keeps all but its data when that is replaced', () => {
    fc.assert(
      fc.property(frames, fc.constantFrom('{}', '{\n}', '{\n1\n}'), (frame, data) => {
        const replaced = sse.withData(frame, () => Buffer.from(data))
        expect(sse.withData(frame, (found) => found)).toBe(frame)
        fc.pre(readUndecoded(sse, frame).data !== undefined)
        expect(withoutBlanks(sse.parse(replaced).data)).toBe(withoutBlanks(data))
        expect(sse.parse(replaced).name).toBe(sse.parse(frame).name)
      }),
    )
  })
})

test.each([
  ['sse', 'event: a\ndata: {"é":1}\n\n'],
  ['sse', ': only a comment\n\n'],
  ['sse', 'data: [DONE]\r\n\r\n'],
  ['ndjson', ' \t{"é":1}\r\n'],
  ['ndjson', '{"a":\r1}\n'],
  ['ndjson', '\uFEFF\u00A0{"a":1}\u2003\n'],
  ['ndjson', ' \n'],
  ['jsonArray', '[{"a":\r\n1}'],
  ['jsonArray', ',\n {"é":1}'],
  ['jsonArray', '\n]'],
] as const)('a frame of %s is the same whether it is decoded or not: %j', (name, text) => {
  const frame = Buffer.from(text)
  expect(readUndecoded(framings[name], frame)).toEqual(decoded(framings[name], frame))
})

test.each([
  ['a name', { name: 'a', data: '{"é":1}' }],
  ['line ends', { name: 'a', data: '{"a":\r\n1}' }],
  ['no payload', { name: 'a', data: '' }],
  ['an error', { name: 'a', data: '{}', isError: true }],
])('a message with %s is the same whether it is decoded or not', (_, event) => {
  const frame = eventStream.encode().frame(event) as Buffer
  expect(readUndecoded(eventStream, frame)).toEqual(decoded(eventStream, frame))
})

test.each(Object.entries(framings))(
  'events of %s are framed alike as text and as bytes',
  (_, framing) => {
    const events = [
      { name: 'a', data: '{"é":1}' },
      { name: '', data: '{}' },
      { data: '[]', isError: true },
    ]
    const [ofTexts, ofBytes] = [framing.encode(), framing.encode()]
    const text = [...events.map((event) => ofTexts.frame(event)), ofTexts.end()]
    const bytes = events.flatMap((event) =>
      frameUndecoded(ofBytes, { ...event, data: Buffer.from(event.data) }),
    )
    const whole = Buffer.concat(text.map((frame) => Buffer.from(frame as Buffer)))
    expect(Buffer.concat([...bytes, Buffer.from(ofBytes.end())])).toEqual(whole)
  },
)

test('a framing that is derived from a shipped one reads its events itself', () => {
  const derived: Framing = { ...sse, parse: () => ({ name: 'own', data: '{\n}' }) }
  const frame = Buffer.from('data: {}\n\n')
  expect(readUndecoded(derived, frame)).toEqual({
    name: 'own',
    data: Buffer.from(onOneLine('{\n}')),
  })
})
