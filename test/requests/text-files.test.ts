import { expect, test, vi } from 'vitest'

import { MemoryPool } from '../../src/exchange/memory-pool.ts'
import type { Understood } from '../../src/contract/exchange.ts'
import { readFileText } from '../../src/kit/codec/file-text.ts'
import type { FilePart } from '../../src/generate/content.ts'
import type { GenerateRequest } from '../../src/generate/request.ts'
import { forgetTexts, readTextFiles } from '../../src/translate/text-files.ts'

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

/** An exchange whose client stays, or leaves once it has been looked for so many times. */
function exchangeOf({
  looks = Infinity,
  call = {},
  budget = new MemoryPool(2 ** 30),
} = {}): Understood {
  let looked = 0
  const client = {
    get gone() {
      return ++looked > looks
    },
  }
  const progress = { memoryBudget: budget, disposables: [] }
  return { client, call, progress, caller: { keyId: 'key' } } as unknown as Understood
}

const eucJp = 'text/plain; charset=euc-jp'
const kanji = Buffer.from([0xc6, 0xfc, 0xcb, 0xdc])

test('documents in other charsets are read before codecs ask for their texts', async () => {
  const request = requestWith(documentOf(eucJp, kanji), documentOf(eucJp, kanji))
  expect((await readTextFiles(request, exchangeOf())).turns).toMatchObject([
    { content: [{ type: 'text' }, { source: { kind: 'data', text: '日本' } }] },
    { results: [{ content: [{ source: { kind: 'data', text: '日本' } }] }] },
  ])
})

test('a request without such documents is the same object', async () => {
  const other = documentOf('text/csv', Buffer.from('a,b'))
  const request = requestWith(other, documentOf('application/pdf', kanji))
  expect(await readTextFiles(request, exchangeOf())).toBe(request)
  const without = { ...request, fields: {} }
  expect(await readTextFiles(without, exchangeOf())).toBe(without)
})

test('what is cut within a character is no text, wherever the cut is', async () => {
  const cut = documentOf(eucJp, Buffer.concat([Buffer.alloc(2 ** 20, kanji), kanji.subarray(0, 1)]))
  const reading = readTextFiles(requestWith(cut, cut), exchangeOf())
  await expect(reading).rejects.toMatchObject({ status: 400, code: 'invalid_value' })
})

test('a long document lets others be served while it is read, and keeps each character', async () => {
  // Each piece that is decoded ends within a character.
  const length = 21 * 2 ** 20
  const large = documentOf(eucJp, Buffer.alloc(length, Buffer.from([0x8f, 0xb0, 0xa1])))
  let turns = 0
  const count = () => {
    turns++
    counting = setImmediate(count)
  }
  let counting = setImmediate(count)
  const { turns: read } = await readTextFiles(
    requestWith(large, documentOf(eucJp, kanji)),
    exchangeOf(),
  )
  clearImmediate(counting)
  expect(turns).toBeGreaterThan(1)
  expect(read).toMatchObject([{ content: [{}, { source: { text: '丂'.repeat(length / 3) } }] }, {}])
  expect(readFileText(large)).toBe('丂'.repeat(length / 3))
})

test('no further documents are read once the client has left', async () => {
  const document = () => documentOf(eucJp, kanji)
  const decode = vi.spyOn(TextDecoder.prototype, 'decode')
  const reading = readTextFiles(requestWith(document(), document()), exchangeOf({ looks: 0 }))
  await expect(reading).rejects.toMatchObject({ code: 'client_closed_request' })
  expect(decode).toHaveBeenCalledTimes(1)
  decode.mockRestore()
})

test('a call that finishes without its client reads on', async () => {
  const exchange = exchangeOf({ looks: 0, call: { finishWithoutClient: true } })
  const request = requestWith(documentOf(eucJp, kanji), documentOf(eucJp, kanji))
  expect((await readTextFiles(request, exchange)).turns).toMatchObject([
    { content: [{}, { source: { text: '日本' } }] },
    {},
  ])
})

test('texts have memory of the budget, until no further attempt needs them', async () => {
  const budget = new MemoryPool(2 ** 20, 0)
  const [one, other] = [exchangeOf({ budget }), exchangeOf({ budget })]
  const large = documentOf(eucJp, Buffer.alloc(2 ** 18, kanji))
  const request = requestWith(large, documentOf(eucJp, kanji))
  await readTextFiles(request, one)
  expect(budget.bytes).toBeGreaterThan(2 ** 19)
  const refused = readTextFiles(request, other)
  await expect(refused).rejects.toMatchObject({ status: 503, code: 'memory_full' })
  forgetTexts(one)
  expect(budget.bytes).toBe(0)
  expect((await readTextFiles(request, other)).turns).toHaveLength(2)
})

test('documents that are larger in UTF-8 than a request may be are refused', async () => {
  const euros = documentOf('text/plain; charset=windows-1252', Buffer.alloc(22 * 2 ** 20, 0x80))
  const small = documentOf(eucJp, kanji)
  const reading = readTextFiles(requestWith(small, euros), exchangeOf())
  await expect(reading).rejects.toMatchObject({ status: 413, code: 'request_too_large' })
})
