import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import type { FrameSink } from '../../src/codec.ts'
import { textFrame } from '../../src/codecs/text-frame.ts'
import { FrameBytes } from '../../src/translate/frame-bytes.ts'
import { framesTo } from '../codecs/frame-sink.ts'

const plain = textFrame('data: {"text":', '}\n\n')
const numbered = textFrame('data: {"é":', ',"number":', '}\n\n')

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

/** The same, but that a text which stands in an account's frame is taken from there. */
function performOnBytes(sink: FrameBytes, step: Step): void {
  const source = Buffer.from(JSON.stringify(step.text))
  const isCopied = step.kind === 'copied' && sink.copyText(numbered, source, 1, source.length - 1)
  if (!isCopied) perform(sink, step)
}

test('what is written as bytes is what would be written as text', () => {
  fc.assert(
    fc.property(fc.array(fc.array(step, { maxLength: 5 }), { maxLength: 5 }), (runs) => {
      const bytes = new FrameBytes()
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
  const bytes = new FrameBytes()
  bytes.writeText(plain, 'first')
  const first = bytes.take()
  bytes.writeText(plain, 'other')
  bytes.take()
  expect(first.toString()).toBe('data: {"text":"first"}\n\n')
})

test('what is discarded goes to nobody', () => {
  const bytes = new FrameBytes()
  bytes.write('half of a fr')
  bytes.discard()
  bytes.count = 7
  bytes.writeText(numbered, 'a "b"')
  expect(bytes.take().toString()).toBe('data: {"é":"a \\"b\\"","number":7}\n\n')
})

test('a text is copied where its string is written as the gateway would write it', () => {
  const bytes = new FrameBytes()
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
    expect(bytes.copyText(numbered, source, 1, source.length - 1)).toBe(true)
  }
  const written = texts.map(
    (text, number) => `data: {"é":${JSON.stringify(text)},"number":${number}}`,
  )
  expect(bytes.take().toString().trim().split('\n\n')).toEqual(written)
})

test('any other string is not copied, and leaves nothing behind', () => {
  const bytes = new FrameBytes()
  const strings = ['\\u00e9', '\\/', '\\x', '\\', '"', '\n', '\u007f'].map((text) =>
    Buffer.from(text),
  )
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
    expect(bytes.copyText(numbered, source, 0, source.length)).toBe(false)
  }
  const cut = Buffer.from('水')
  expect(bytes.copyText(numbered, cut, 0, 2)).toBe(false)
  expect(bytes.take()).toHaveLength(0)
  expect(bytes.count).toBe(0)
})

test('frames that were written before are not written again', () => {
  const bytes = new FrameBytes()
  bytes.isMuted = true
  bytes.writeText(numbered, 'again')
  expect(() => bytes.write('something else')).toThrow('in other ways')
  expect(bytes.take()).toHaveLength(0)
  expect(bytes.count).toBe(0)
})
