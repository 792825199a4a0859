import { expect, test } from 'vitest'

import { decodeBase64 } from '../src/kit/codec/file-text.ts'

test.each([
  ['', ''],
  ['YWI=', 'ab'],
  ['YWI', 'ab'],
  ['YWJj', 'abc'],
  ['YWJjZA==', 'abcd'],
  ['YWJjZA', 'abcd'],
  ['_-8', '\xff\xef'],
  ['/+8=', '\xff\xef'],
  ['YW\r\nJj ZA\t= \f=\v\n', 'abcd'],
  [' \n', ''],
  ['==', ''],
])('%j is base64 of some bytes', (text, bytes) => {
  expect(decodeBase64(text)?.toString('latin1')).toBe(bytes)
})

test.each(['Y', 'YWJjZ', 'Y W J j Z', 'YWI=YWI=', 'YW.I', 'YWI\u00a0', 'YWIé', 'Y='])(
  '%j is no base64',
  (text) => {
    expect(decodeBase64(text)).toBe(undefined)
  },
)

test('every length of digits is base64, but for one that leaves a digit alone', () => {
  for (let length = 0; length < 50; length++) {
    const text = 'QUJD'.repeat(20).slice(0, length)
    const spaced = text.replaceAll(/./g, '$& ')
    for (const one of [text, spaced, `${spaced} =`]) {
      expect(decodeBase64(one) === undefined).toBe(length % 4 === 1)
    }
  }
})

test('a long text is base64 to its end', () => {
  const length = 6 * 1024 * 1024
  const digits = 'QUJD'.repeat(length / 4)
  const text = `${digits} `
  expect(decodeBase64(digits)?.length).toBe((length / 4) * 3)
  expect(decodeBase64(`${text}QUI=`)?.toString('latin1', (length / 4) * 3)).toBe('AB')
  for (const end of ['Q', 'QU.', 'QUI=.']) expect(decodeBase64(text + end)).toBe(undefined)
})
