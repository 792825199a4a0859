import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'

import { encoded, largestDocument, withDocument } from './bodies.ts'

/** A plugin with a rule that masks and one that refuses. */
export const guardrail = {
  use: 'dragoman/plugins/guardrail',
  options: {
    rules: [
      { name: 'cards', pattern: '\\d{4}( \\d{4}){3}', action: 'mask' },
      { name: 'names', pattern: 'nightfall', action: 'refuse' },
    ],
  },
}

interface Guarded {
  readonly bodyOf: (model: string) => Buffer
  readonly encoding?: string
  readonly status: number
}

const card = '4111 1111 1111 1111'

/** Bodies that are worst for rules, and their answers. */
export const guarded: Readonly<Record<string, Guarded>> = {
  'letters that make eighteen, guarded': answered(200, '\ufdfa', 8_000_000),
  '1 MB of gzip that make 360 million letters, guarded': {
    bodyOf: (model) => gzipSync(chat(model, `${noise()}${'\ufdfa'.repeat(20_000_000)}`)),
    encoding: 'gzip',
    status: 200,
  },
  'card numbers, guarded': answered(200, `${card} `, 1_000_000),
  'wide digits, guarded': answered(200, '４１１１ ', 3_000_000),
  'invisible characters between digits, guarded': answered(200, '\u200d1', 3_000_000),
  'invisible characters alone, guarded': answered(422, '\u200d', 3_000_000),
  'words like base64, guarded': answered(422, 'nightfall_', 3_000_000),
  'a document in Shift_JIS, guarded': {
    bodyOf: (model) =>
      withDocument(model, 'text/plain;charset=shift_jis', encoded([0x81, 0x41], largestDocument)),
    status: 200,
  },
  'a large document in EUC-JP, guarded': {
    bodyOf: (model) =>
      withDocument(model, 'text/plain;charset=euc-jp', encoded([0x8f, 0xb0, 0xa1])),
    status: 413,
  },
  'a large document in UTF-8, guarded': {
    bodyOf: (model) => withDocument(model, 'text/plain', encoded([0xe6, 0xbc, 0xa2])),
    status: 413,
  },
  'a card number in a document beside one in EUC-JP, guarded': {
    bodyOf: (model) => withDocuments(model, [csv(card), inCharset('euc-jp', [0x8f, 0xb0, 0xa1])]),
    status: 200,
  },
  'metadata of 100,000 texts, guarded': {
    bodyOf: (model) => withMetadata(model, 100_000),
    status: 200,
  },
}

function answered(status: number, unit: string, times: number): Guarded {
  return { status, bodyOf: (model) => chat(model, unit.repeat(times)) }
}

function chat(model: string, content: string): Buffer {
  return Buffer.from(JSON.stringify({ model, messages: [{ role: 'user', content }] }))
}

/** Text that keeps a body of gzip below the greatest expansion. */
function noise(): string {
  return randomBytes(700_000).toString('hex')
}

function withMetadata(model: string, count: number): Buffer {
  const members = Array.from({ length: count }, (_, at) => `"k${at}":"${card}"`).join(',')
  const messages = `[{"role":"user","content":"${card}"}]`
  return Buffer.from(`{"model":"${model}","messages":${messages},"metadata":{${members}}}`)
}

function csv(text: string): string {
  return `data:text/csv;base64,${Buffer.from(text).toString('base64')}`
}

/** A document that leaves room for another one. */
function inCharset(charset: string, bytes: number[]): string {
  const characters = Math.floor((largestDocument - 1024) / bytes.length)
  const data = Buffer.alloc(characters * bytes.length, Buffer.from(bytes)).toString('base64')
  return `data:text/plain;charset=${charset};base64,${data}`
}

function withDocuments(model: string, urls: readonly string[]): Buffer {
  const files = urls.map((url) => `{"type":"file","file":{"file_data":"${url}"}}`)
  return Buffer.from(
    `{"model":"${model}","messages":[{"role":"user","content":[${files.join(',')}]}]}`,
  )
}
