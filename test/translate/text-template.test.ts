import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { TextTemplate, templateValuesOf } from '../../src/translate/fast-path/text-template.ts'
import { inputBuffer } from '../../src/translate/fast-path/input-buffer.ts'

/** Where a template finds the text of a frame that ends where this text does. */
function find(
  template: TextTemplate,
  frame: string,
  textEnd: number,
): [start: number, end: number] {
  inputBuffer.load(Buffer.from(frame))
  return [template.textStart(0), template.frameEnd(textEnd)]
}

const around = fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 40 })

test('a frame is found again with another text, and with no other byte', () => {
  fc.assert(
    fc.property(around, around, fc.string(), fc.nat(), (before, after, text, changed) => {
      const template = new TextTemplate(before, after, undefined)
      const frame = Buffer.from(`${before}${text}${after}`)
      const textEnd = frame.length - after.length
      expect(find(template, `${frame.toString()}more`, textEnd)).toEqual([
        before.length,
        frame.length,
      ])
      const inBefore = Buffer.from(frame)
      inBefore[changed % before.length]! ^= 1
      expect(find(template, inBefore.toString(), textEnd)[0]).toBe(-1)
      const inAfter = Buffer.from(frame)
      inAfter[textEnd + (changed % after.length)]! ^= 1
      expect(find(template, inAfter.toString(), textEnd)[1]).toBe(-1)
    }),
  )
})

test('what was read before does not complete a frame', () => {
  const template = new TextTemplate('{"a":"', '","b":1}\n\n', undefined)
  const frame = '{"a":"text","b":1}\n\n'
  for (let length = 0; length < frame.length; length++) {
    find(template, frame, 10)
    expect(find(template, frame.slice(0, length), 10)[1]).toBe(-1)
  }
})

const counted = new TextTemplate(
  '{"count":7,"pad":"x","text":"',
  '","count":1}',
  templateValuesOf(['count', 'pad']),
)

test.for([
  ['{"count":12345,"pad":"","text":"', '","count":0}'],
  ['{"count":0,"pad":"very much more","text":"', '","count":10}'],
])('members may have other values: %s', ([before, after]) => {
  const found = find(counted, `${before}word${after}`, before!.length + 4)
  expect(found).toEqual([before!.length, before!.length + 4 + after!.length])
})

test.for([
  '{"count":"7","pad":"x","text":"',
  '{"count":,"pad":"x","text":"',
  '{"count":07,"pad":"x","text":"',
  '{"count":-7,"pad":"x","text":"',
  '{"count":7,"pad":1,"text":"',
  '{"count":7,"pad":"\\"","text":"',
  '{"count":7,"pad":"\n","text":"',
  '{"count":7,"pad":null,"text":"',
])('values of another kind are read by a parser: %j', (before) => {
  expect(find(counted, `${before}word","count":1}`, before.length + 4)[0]).toBe(-1)
})

test('a run that is too long is left to a parser', () => {
  expect(inputBuffer.load(Buffer.alloc(128 * 1024))).toBe(true)
  expect(inputBuffer.load(Buffer.alloc(128 * 1024 + 1))).toBe(false)
})
