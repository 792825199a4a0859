import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { SseJoiner, formatFrame, nextBoundary, parseFrame, splitFrames } from '../src/lib/sse.ts'

/** Text of any kind but without line ends, many of the characters being those that frames are made of. */
const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom(':', ' ', '{', '}', '"', '\\', 'd', 'a', 't'),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
  ),
})
const line = text.map((value) => value.replaceAll(/[\r\n]/g, ''))

const field = fc
  .tuple(fc.constantFrom('data: ', 'data:', 'event: ', 'id: ', 'retry: ', ': ', ':', ''), line)
  .map(([name, value]) => name + value)
  .filter((written) => written !== '')

const lineEnd = fc.constantFrom('\n', '\r\n')

/** A frame with its blank line; each frame has one kind of line end. */
const frame = fc
  .tuple(fc.array(field, { minLength: 1, maxLength: 4 }), lineEnd)
  .map(([lines, end]) => lines.map((written) => written + end).join('') + end)

const stream = fc.array(frame, { maxLength: 8 })
/** What is left of a frame that was cut off. */
const rest = fc.oneof(
  fc.constant(''),
  field,
  field.map((written) => `${written}\n`),
)

/** Cuts at any byte; equal cuts make empty chunks. */
const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 })

function chunksOf(bytes: Buffer, places: readonly number[]): Buffer[] {
  const at = places.map((place) => Math.floor(place * bytes.length)).sort((a, b) => a - b)
  return [0, ...at].map((start, index) => bytes.subarray(start, at[index] ?? bytes.length))
}

describe('frames joined from chunks', () => {
  test('are whole, complete and in order, wherever the network cut them', () => {
    fc.assert(
      fc.property(stream, rest, cuts, (frames, left, places) => {
        const joiner = new SseJoiner()
        const boundaries = new Set(frames.map((_, index) => frames.slice(0, index + 1).join('')))
        let joined = ''
        for (const chunk of chunksOf(Buffer.from(frames.join('') + left), places)) {
          const run = joiner.feed(chunk)
          if (!run) continue
          joined += run.toString()
          expect(boundaries).toContain(joined)
        }
        expect(joined).toBe(frames.join(''))
        expect(joiner.pendingBytes).toBe(Buffer.byteLength(left))
        expect(joiner.flush()?.toString() ?? '').toBe(left)
      }),
    )
  })

  test('are the same when they come byte by byte, each as soon as it is whole', () => {
    fc.assert(
      fc.property(stream, (frames) => {
        const joiner = new SseJoiner()
        const joined: string[] = []
        for (const byte of Buffer.from(frames.join(''))) {
          const run = joiner.feed(Buffer.from([byte]))
          if (run) joined.push(run.toString())
        }
        expect(joined).toEqual(frames)
      }),
    )
  })

  test('are not kept back where a chunk ends with them', () => {
    const joiner = new SseJoiner()

    expect(joiner.feed(Buffer.from('data: 1\n\ndata: 2\n\nda'))?.toString()).toBe(
      'data: 1\n\ndata: 2\n\n',
    )
    expect(joiner.feed(Buffer.from('ta: 3\r\n\r'))).toBeUndefined()
    expect(joiner.feed(Buffer.from('\n'))?.toString()).toBe('data: 3\r\n\r\n')
    expect(joiner.flush()).toBeUndefined()
  })

  test('hold no byte of what has been handed on', () => {
    const joiner = new SseJoiner()
    joiner.feed(Buffer.from('data: 1\n\nrest'))

    expect(joiner.pendingBytes).toBe(4)
    expect(joiner.flush()?.toString()).toBe('rest')
    expect(joiner.pendingBytes).toBe(0)
  })
})

describe('a run of frames', () => {
  test('splits into the frames that it was made of', () => {
    fc.assert(
      fc.property(stream, (frames) => {
        const run = Buffer.from(frames.join(''))
        expect(splitFrames(run).map(String)).toEqual(frames)
        if (frames.length > 0) expect(nextBoundary(run, 0)).toBe(Buffer.byteLength(frames[0]!))
      }),
    )
  })

  test('splits off a last frame that has no blank line', () => {
    expect(splitFrames(Buffer.from('data: 1\n\ndata: 2')).map(String)).toEqual([
      'data: 1\n\n',
      'data: 2',
    ])
  })
})

describe('a frame', () => {
  test('reads back as it was written', () => {
    fc.assert(
      fc.property(fc.option(line, { nil: undefined }), fc.json(), (name, data) => {
        const written = parseFrame(Buffer.from(formatFrame(name, data)))
        expect(written).toEqual({ name: name ?? '', data })
      }),
    )
  })

  test.each([
    { frame: ': only a comment\n\n', name: '', data: undefined },
    { frame: 'data\n\n', name: '', data: '' },
    { frame: 'data:\n\n', name: '', data: '' },
    { frame: 'data:  two spaces\n\n', name: '', data: ' two spaces' },
    { frame: 'data: a\ndata: b\n\n', name: '', data: 'a\nb' },
    { frame: 'data: a\r\ndata: b\r\n\r\n', name: '', data: 'a\nb' },
    { frame: 'event: ping\nid: 1\nretry: 2\nother: x\n\n', name: 'ping', data: undefined },
    { frame: 'event:ping\ndata:{}\n\n', name: 'ping', data: '{}' },
  ])('$frame has the name "$name" and the data "$data"', ({ frame, name, data }) => {
    expect(parseFrame(Buffer.from(frame))).toEqual({ name, data })
  })
})
