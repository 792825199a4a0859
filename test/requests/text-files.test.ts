import { expect, test } from 'vitest'

import type { FilePart } from '../../src/generate/content.ts'
import type { GenerateRequest } from '../../src/generate/request.ts'
import { mapTexts } from '../../src/index.ts'
import { assertReadable, hasOtherCharset, readFileText } from '../../src/kit/codec/file-text.ts'

const MiB = 1024 * 1024

function documentOf(mediaType: string, bytes: Buffer): FilePart {
  return { type: 'file', source: { kind: 'data', base64: bytes.toString('base64') }, mediaType }
}

/** A user sends one document, and a tool another one. */
function requestWith(own: FilePart, found: FilePart): GenerateRequest {
  return {
    stream: false,
    turns: [
      { role: 'user', content: [{ type: 'text', text: 'Read this.' }, own] },
      { role: 'tool', results: [{ callId: 'c', content: [found] }] },
    ],
    tools: [],
    sampling: {},
    fields: { file_input: 'messages' },
    extras: [],
  }
}

const eucJp = 'text/plain; charset=euc-jp'
const kanji = Buffer.from([0xc6, 0xfc, 0xcb, 0xdc])

test('a document is read in its charset, and one that is cut within a character is no text', () => {
  expect(readFileText(documentOf(eucJp, kanji))).toBe('日本')
  const cut = documentOf(eucJp, Buffer.concat([Buffer.alloc(MiB, kanji), kanji.subarray(0, 1)]))
  expect(() => readFileText(cut)).toThrow(
    expect.objectContaining({ status: 400, code: 'invalid_value' }),
  )
})

const tooLarge = expect.objectContaining({ status: 413, code: 'request_too_large' })

test('documents in other charsets of more than 8 MiB together are refused', () => {
  const half = documentOf(eucJp, Buffer.alloc(4 * MiB, kanji))
  const others = [
    documentOf('text/plain', Buffer.alloc(9 * MiB)),
    documentOf('application/pdf', Buffer.alloc(9 * MiB)),
  ] as const
  const assertOtherCharsets = (one: FilePart, other: FilePart) => () =>
    assertReadable(requestWith(one, other), hasOtherCharset)
  expect(assertOtherCharsets(half, half)).not.toThrow()
  expect(assertOtherCharsets(...others)).not.toThrow()
  expect(assertOtherCharsets(half, documentOf(eucJp, Buffer.alloc(5 * MiB)))).toThrow(tooLarge)
})

test('plugins read no documents of text of more than 8 MiB together', () => {
  const pdf = documentOf('application/pdf', Buffer.alloc(9 * MiB))
  const mapped = (one: FilePart) => () => mapTexts(requestWith(pdf, one), (text) => text)
  expect(mapped(documentOf('text/csv', Buffer.alloc(8 * MiB - 1)))).not.toThrow()
  expect(mapped(documentOf('text/csv', Buffer.alloc(9 * MiB)))).toThrow(tooLarge)
})
