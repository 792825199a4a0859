import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import type { FrameSink } from '../../src/contract/codec.ts'
import { textFrame } from '../../src/kit/codec/text-frame.ts'
import { FrameWriter } from '../../src/translate/fast-path/frame-writer.ts'
import { ClientFrame } from '../../src/translate/fast-path/client-frame.ts'
import { chunkOf } from '../../src/lib/http-chunk.ts'
import { framesTo } from '../codecs/frame-sink.ts'

const plain = textFrame('data: {"text":', '}\n\n')
const numbered = textFrame('data: {"é":', ',"number":', '}\n\n')

const copied = new ClientFrame(numbered)

interface Step {
  readonly kind: 'frames' | 'text' | 'numbered' | 'copied'
  readonly text: string
}

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 2_000 }),
  fc.string({ unit: 'grapheme', maxLength: 100 }),
  fc.string({ maxLength: 12 }),
)
const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('frames', 'text', 'numbered', 'copied'),
  text,
})

function perform(sink: FrameSink, { kind, text }: Step): void {
  if (kind === 'frames') sink.write(text)
  else sink.writeText(kind === 'text' ? plain : numbered, text)
}

/** Whether the string that begins here in the source could be written as the text of a frame. */
function copy(sink: FrameWriter, source: Buffer, start: number, most = 20_000): boolean {
  const end = sink.copyText(copied, source, start, most)
  if (end >= 0) sink.commitText(copied, end - start)
  return end >= 0
}

/** The same, but that a text which stands in an account's frame is taken from there. */
function performOnBytes(sink: FrameWriter, step: Step): void {
  const source = Buffer.from(JSON.stringify(step.text))
  if (step.kind !== 'copied' || !copy(sink, source, 1)) perform(sink, step)
}

test('what is written as bytes is what would be written as text', () => {
  fc.assert(
    fc.property(fc.array(fc.array(step, { maxLength: 5 }), { maxLength: 5 }), (runs) => {
      const bytes = new FrameWriter()
      let frames = ''
      const strings = framesTo((more) => {
        frames += more
      })
      for (const run of runs) {
        frames = ''
        for (const one of run) {
          perform(strings, one)
          performOnBytes(bytes, one)
        }
        expect(bytes.take().equals(Buffer.from(frames))).toBe(true)
      }
    }),
  )
})

test('what has been taken does not change with what comes later', () => {
  const bytes = new FrameWriter()
  bytes.writeText(plain, 'first')
  const first = bytes.take()
  bytes.writeText(plain, 'other')
  bytes.take()
  expect(first.toString()).toBe('data: {"text":"first"}\n\n')
})

test('what is taken as a chunk is the same, and alone in its memory', () => {
  fc.assert(
    fc.property(fc.array(fc.array(step, { maxLength: 5 }), { maxLength: 5 }), (runs) => {
      const [plainly, chunked] = [new FrameWriter(), new FrameWriter()]
      const pairs = runs.map((run) => {
        for (const one of run) for (const sink of [plainly, chunked]) performOnBytes(sink, one)
        expect(plainly.isEmpty).toBe(chunked.isEmpty)
        return plainly.isEmpty ? {} : { bytes: plainly.take(), chunk: chunked.takeChunk() }
      })
      for (const { bytes, chunk } of pairs) {
        expect(chunk?.bytes.toString('latin1')).toBe(bytes && chunkOf(bytes).toString('latin1'))
        expect(chunk?.content.toString('latin1')).toBe(bytes?.toString('latin1'))
        expect(chunk?.length).toBe(bytes?.length)
      }
    }),
  )
})

test('a chunk has its end, also where it fills the memory that was made for it', () => {
  for (const last of [39_999, 40_000, 40_001, 40_002, 40_003]) {
    const bytes = new FrameWriter()
    const texts = [40_000, 60_000, last].map((length) => 'x'.repeat(length))
    for (const text of texts) bytes.write(text)
    expect(bytes.takeChunk().bytes.equals(chunkOf(Buffer.from(texts.join(''))))).toBe(true)
  }
})

test('what is discarded goes to nobody', () => {
  const bytes = new FrameWriter()
  bytes.write('half of a fr')
  bytes.discard()
  bytes.count = 7
  bytes.writeText(numbered, 'a "b"')
  expect(bytes.take().toString()).toBe('data: {"é":"a \\"b\\"","number":7}\n\n')
})

test('a text is copied where its string is written as the gateway would write it', () => {
  const bytes = new FrameWriter()
  const texts = [
    'a "b"',
    'back\\slash',
    '{\n\t"a": 1\r}',
    '\b\f',
    'é',
    '水',
    '🌊',
    '\u2028',
    '\u{10ffff}',
  ]
  for (const text of texts) {
    const source = Buffer.from(JSON.stringify(text))
    expect(copy(bytes, source, 1)).toBe(true)
  }
  const written = texts.map(
    (text, number) => `data: {"é":${JSON.stringify(text)},"number":${number}}`,
  )
  expect(bytes.take().toString().trim().split('\n\n')).toEqual(written)
})

test('any other string is not copied, and leaves nothing behind', () => {
  const bytes = new FrameWriter()
  const strings = ['\\u00e9', '\\/', '\\x', '\\', '\n', '\u007f'].map((text) => Buffer.from(text))
  // Cut, too long for what they mean, half of a pair, beyond the last character, no beginning.
  const broken = [
    'c3',
    'e6b0',
    'f09f8c',
    'c0af',
    'e080af',
    'f080af80',
    'eda080',
    'f4908080',
    'f8a08080',
    'b0',
    'c328',
  ]
  for (const source of [...strings, ...broken.map((hex) => Buffer.from(hex, 'hex'))]) {
    expect(copy(bytes, Buffer.concat([source, Buffer.from('"')]), 0)).toBe(false)
  }
  const text = Buffer.from('a水"')
  for (let most = 0; most < 4; most++) expect(copy(bytes, text, 0, most)).toBe(false)
  expect(copy(bytes, text.subarray(0, 4), 0)).toBe(false)
  expect(bytes.take()).toHaveLength(0)
  expect(bytes.count).toBe(0)
})

test('frames that were written before are not written again', () => {
  const bytes = new FrameWriter()
  bytes.isMuted = true
  bytes.writeText(numbered, 'again')
  expect(() => bytes.write('something else')).toThrow('in another frame')
  expect(bytes.take()).toHaveLength(0)
  expect(bytes.count).toBe(0)
})
