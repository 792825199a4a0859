import { randomBytes } from 'node:crypto'

import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { type ByteEdit, applyEdits } from '../../src/lib/json/edit.ts'
import { newPart } from '../../src/body/form/edits.ts'
import { anyCuts, anyParts } from './any-form.ts'
import { cut, formOf, parse } from './forms.ts'
import { collect, read } from './reading.ts'

const MiB = 1024 * 1024

/** Edits at places of a body that do not overlap. */
function editsAt(size: number, places: readonly number[], texts: readonly string[]): ByteEdit[] {
  const points = places.map((place) => place % (size + 1)).toSorted((a, b) => a - b)
  const edits: ByteEdit[] = []
  for (let index = 0; index + 1 < points.length; index += 2) {
    const [start = 0, end = 0] = [points[index], points[index + 1]]
    edits.push({ start, end, text: texts[index % texts.length] ?? '' })
  }
  return edits.toReversed()
}

/** What is inserted before what is replaced, as `applyEdits` takes them. */
function inOrder(left: ByteEdit, right: ByteEdit): number {
  return left.start - right.start || left.end - right.end
}

test('any form is replayed byte for byte, as often as it is asked for', async () => {
  await fc.assert(
    fc.asyncProperty(anyParts, anyCuts, async (written, places) => {
      const body = formOf(written)
      using kept = await read(cut(body, places))
      for (const { stream, length } of [kept.form.replay(), kept.form.replay()]) {
        expect(length).toBe(body.length)
        expect(await collect(stream)).toEqual(body)
      }
    }),
    { numRuns: 50 },
  )
})

test('edits change what they say and nothing else, and the length is exact', async () => {
  const texts = fc.array(fc.string({ unit: 'grapheme', maxLength: 20 }), { minLength: 1 })
  await fc.assert(
    fc.asyncProperty(anyParts, anyCuts, texts, async (written, places, words) => {
      const body = formOf(written)
      const edits = editsAt(body.length, places, words)
      using kept = await read([body])
      const { stream, length } = kept.form.replay(edits)
      const replayed = await collect(stream)
      expect(replayed).toEqual(applyEdits(body, edits.toSorted(inOrder)))
      expect(length).toBe(replayed.length)
    }),
    { numRuns: 100 },
  )
})

test('a form on disk is replayed like one in memory, and several at the same time', async () => {
  const image = randomBytes(3 * MiB + 17)
  const body = formOf([
    { name: 'image', filename: 'a.png', content: image },
    { name: 'model', content: 'm' },
  ])
  using kept = await read(cut(body, [1, 1_000_000, 2_500_000]))
  expect(kept.spool.bytes).toBe(body.length)
  const [file, model] = kept.form.parts
  if (!file || !model) throw new Error('The form has two parts.')
  const edit = { start: model.start, end: model.end, text: 'another-model' }
  const [plain, edited, content] = await Promise.all([
    collect(kept.form.replay().stream),
    collect(kept.form.replay([edit]).stream),
    collect(kept.form.open(file)),
  ])
  expect(plain.equals(body)).toBe(true)
  expect(edited.equals(applyEdits(body, [edit]))).toBe(true)
  expect(content.equals(image)).toBe(true)
  expect(await kept.form.read(file, 100)).toEqual(image.subarray(0, 100))
})

test('the beginning of a part is read without what follows it', async () => {
  using kept = await read([formOf([{ name: 'image', filename: 'a.png', content: 'short' }])])
  const [part] = kept.form.parts
  if (!part) throw new Error('The form has a part.')
  expect((await kept.form.read(part, 100)).toString()).toBe('short')
  expect((await kept.form.read(part, 2)).toString()).toBe('sh')
})

test('blanks after a boundary do not go on, since some readers pass over such a part', async () => {
  const plain = formOf([{ name: 'prompt', content: 'a cat' }, { name: 'model' }]).toString()
  const padded = plain.replaceAll('--a-boundary\r\n', '--a-boundary \t\r\n')
  using kept = await read([Buffer.from(`${padded.trimEnd()}  `)])
  const [, model] = kept.form.parts
  if (!model) throw new Error('The form has two parts.')
  const { stream, length } = kept.form.replay([{ start: model.start, end: model.end, text: 'm' }])
  const replayed = await collect(stream)
  expect(replayed.toString()).toBe(
    plain.replace('name="model"\r\n\r\n', 'name="model"\r\n\r\nm').trimEnd(),
  )
  expect(length).toBe(replayed.length)
})

test('a part is added as the last one', async () => {
  using kept = await read([formOf([{ name: 'prompt', content: 'a cat' }])])
  const added = await collect(kept.form.replay([newPart(kept.form, 'model', 'm')]).stream)
  const { parts, texts } = parse([added])
  expect(parts.map(({ name }) => name)).toEqual(['prompt', 'model'])
  expect([texts.get('prompt'), texts.get('model')]).toEqual(['a cat', 'm'])
  expect(() => newPart(kept.form, 'model', 'x\r\n--a-boundary--')).toThrow('contains the boundary')
})

test('edits that overlap or lie outside are a defect, not another form', async () => {
  using kept = await read([formOf([{ name: 'prompt' }])])
  const { size } = kept.form
  for (const edits of [
    [
      { start: 0, end: 4, text: '' },
      { start: 3, end: 5, text: '' },
    ],
    [{ start: 0, end: size + 1, text: '' }],
    [{ start: 5, end: 4, text: '' }],
  ]) {
    expect(() => kept.form.replay(edits)).toThrow(RangeError)
  }
})
