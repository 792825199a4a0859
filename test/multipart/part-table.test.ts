import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { dailySteps } from '../daily-rows.ts'
import { anyCuts, anyParts } from './any-form.ts'
import { readWithBusboy } from './other-readers.ts'
import { boundary, cut, formOf, parse, singly } from './forms.ts'

function described(parts: readonly { name: string; filename: string | undefined }[]) {
  return parts.map(({ name, filename }) => ({ name, filename }))
}

test('any form has the same part table however the network cuts it', () => {
  fc.assert(
    fc.property(anyParts, anyCuts, (written, places) => {
      const body = formOf(written)
      const whole = parse([body])
      const pieces = parse(cut(body, places))
      expect(pieces.parts).toEqual(whole.parts)
      expect(pieces.end).toBe(whole.end)
      expect(parse(singly(body)).parts).toEqual(whole.parts)
    }),
    { numRuns: dailySteps(300) },
  )
})

test('the table tells where each part is, byte for byte, and what it is called', () => {
  fc.assert(
    fc.property(anyParts, anyCuts, (written, places) => {
      const body = formOf(written)
      const { parts, texts, end } = parse(cut(body, places))
      expect(described(parts)).toEqual(
        written.map(({ name, filename }) => ({ name, filename: filename ?? undefined })),
      )
      parts.forEach(({ start, end: partEnd, type }, index) => {
        const { content = '', type: writtenType } = written[index] ?? {}
        expect(body.subarray(start, partEnd)).toEqual(Buffer.from(content))
        expect(type).toBe(writtenType)
      })
      for (const { name, filename } of written) {
        const first = written.find((part) => part.name === name && part.filename === undefined)
        if (filename === undefined && name) expect(texts.get(name)).toBe(first?.content)
      }
      expect(body.subarray(end).toString()).toBe(`--${boundary}--\r\n`)
    }),
    { numRuns: dailySteps(300) },
  )
})

test('another reader finds the same parts in the same order', async () => {
  await fc.assert(
    fc.asyncProperty(anyParts, anyCuts, async (written, places) => {
      const body = formOf(written)
      const { parts } = parse(cut(body, places))
      const ours = parts.map(({ name, filename, start, end }) => {
        return { name, filename, content: body.subarray(start, end).toString('latin1') }
      })
      expect(ours).toEqual(await readWithBusboy(body, boundary))
    }),
    { numRuns: dailySteps(200) },
  )
})

test('what stands before the first boundary and after the last is nobody’s', () => {
  const form = formOf([{ name: 'prompt', content: 'a cat' }])
  const body = Buffer.concat([Buffer.from('a preamble\r\n'), form, Buffer.from('an epilogue')])
  for (const chunks of [[body], singly(body)]) {
    const { parts, texts } = parse(chunks)
    expect(parts).toHaveLength(1)
    expect(texts.get('prompt')).toBe('a cat')
  }
})

test('blanks after a boundary are padding, and the last line needs no end', () => {
  const head = 'Content-Disposition: form-data; name="prompt"'
  const body = Buffer.from(`--${boundary} \t \r\n${head}\r\n\r\na cat\r\n--${boundary}--  `)
  for (const chunks of [[body], singly(body)]) {
    expect(parse(chunks).texts.get('prompt')).toBe('a cat')
  }
})

test('an empty part is empty', () => {
  const { parts, texts } = parse([formOf([{ name: 'user' }, { name: 'image', filename: '' }])])
  expect(texts.get('user')).toBe('')
  expect(parts.map(({ start, end }) => end - start)).toEqual([0, 0])
  expect(parts[1]?.filename).toBe('')
})
