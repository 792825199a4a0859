import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import type { FrameSink } from '../../src/codec.ts'
import { textFrame } from '../../src/codecs/text-frame.ts'
import { FrameBytes } from '../../src/translate/frame-bytes.ts'
import { framesTo } from '../codecs/frame-sink.ts'

const plain = textFrame('data: {"text":', '}\n\n')
const numbered = textFrame('data: {"é":', ',"number":', '}\n\n')

type Step =
  | { readonly kind: 'frames' | 'text'; readonly text: string }
  | { readonly kind: 'numbered'; readonly text: string; readonly number: number }

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 2_000 }),
  fc.string({ unit: 'grapheme', maxLength: 100 }),
  fc.string({ maxLength: 12 }),
)
const step = fc.oneof(
  fc.record({ kind: fc.constantFrom('frames' as const, 'text' as const), text }),
  fc.record({ kind: fc.constant('numbered' as const), text, number: fc.nat() }),
)

function perform(sink: FrameSink, { kind, text, ...rest }: Step): void {
  if (kind === 'frames') sink.write(text)
  else if (kind === 'text') sink.writeText(plain, text)
  else sink.writeText(numbered, text, 'number' in rest ? rest.number : undefined)
}

test('what is written as bytes is what would be written as text', () => {
  fc.assert(
    fc.property(fc.array(fc.array(step, { maxLength: 5 }), { maxLength: 5 }), (runs) => {
      const bytes = new FrameBytes()
      for (const run of runs) {
        let frames = ''
        const strings = framesTo((more) => {
          frames += more
        })
        for (const one of run) {
          perform(strings, one)
          perform(bytes, one)
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
  bytes.writeText(numbered, 'a "b"', 7)
  expect(bytes.take().toString()).toBe('data: {"é":"a \\"b\\"","number":7}\n\n')
})
