import { expect, test } from 'vitest'

import { formOf, parse, roomy, singly } from './forms.ts'

const MiB = 1024 * 1024
const tooLarge = expect.objectContaining({ status: 413 })

test('a form may be as large as the limit, and not a byte larger', () => {
  const body = formOf([{ name: 'image', filename: 'a.png', content: 'x'.repeat(1_000) }])
  const limits = { ...roomy, formBytes: body.length }
  expect(parse(singly(body), limits).parts).toHaveLength(1)
  expect(() => parse([body, Buffer.from(' ')], limits)).toThrow(tooLarge)
  expect(() => parse([body], { ...roomy, formBytes: body.length - 1 })).toThrow(tooLarge)
})

test('so may a part, and the message names it', () => {
  const limits = { ...roomy, formPartBytes: 1_000 }
  const bodyOf = (bytes: number) =>
    formOf([{ name: 'image', filename: 'a.png', content: 'x'.repeat(bytes) }])
  for (const split of [singly, (body: Buffer) => [body]]) {
    expect(parse(split(bodyOf(1_000)), limits).parts).toHaveLength(1)
    expect(() => parse(split(bodyOf(1_001)), limits)).toThrow(
      expect.objectContaining({
        message: 'The part `image` of the form exceeds 1000 bytes.',
        param: 'image',
      }),
    )
  }
})

test('a part that grows too large is refused before it has come whole', () => {
  const body = formOf([{ name: 'image', filename: 'a.png', content: 'x'.repeat(5_000) }])
  const begun = [body.subarray(0, 3_000)]
  expect(() => parse(begun, { ...roomy, formPartBytes: 1_000 })).toThrow(tooLarge)
})

test('a thousand parts are a form, a million are refused', () => {
  const parts = (count: number) => Array.from({ length: count }, () => ({ name: 'n' }))
  expect(parse([formOf(parts(1_000))]).parts).toHaveLength(1_000)
  expect(() => parse([formOf(parts(1_001))])).toThrow(tooLarge)
  const one = formOf([{ name: 'n' }]).subarray(0, -16)
  const million = Array.from({ length: 1_000_000 }, () => one)
  expect(() => parse(million)).toThrow('more than 1000 parts')
})

test('headers of a part are refused when they are a bomb, also one without an end', () => {
  const head = `Content-Disposition: form-data; name="a"\r\nX-A: ${'a'.repeat(9_000)}`
  expect(() => parse([formOf([{ head }])])).toThrow(tooLarge)
  const endless = Buffer.from(`--a-boundary\r\nX-A: ${'a'.repeat(9_000)}`)
  expect(() => parse([endless])).toThrow(tooLarge)
  expect(() => parse(singly(endless))).toThrow(tooLarge)
})

test('a text is kept up to 1 MiB; a longer one is there, but cannot be asked for as a text', () => {
  const kept = parse([formOf([{ name: 'prompt', content: 'x'.repeat(MiB) }])])
  expect(kept.texts.get('prompt')).toHaveLength(MiB)
  const body = formOf([{ name: 'image', content: 'x'.repeat(MiB + 1) }])
  for (const chunks of [[body], [body.subarray(0, 700_000), body.subarray(700_000)]]) {
    const { parts, texts } = parse(chunks)
    expect(parts.map(({ start, end }) => end - start)).toEqual([MiB + 1])
    expect(() => texts.get('image')).toThrow(tooLarge)
  }
})

test('texts that are short one by one must not fill the memory together', () => {
  const parts = Array.from({ length: 5 }, (_, index) => {
    return { name: `text-${index}`, content: 'x'.repeat(MiB) }
  })
  expect(parse([formOf(parts.slice(1))]).parts).toHaveLength(4)
  expect(() => parse([formOf(parts)])).toThrow(tooLarge)
})
