import { expect, test } from 'vitest'

import { messagesFiles } from '../../plugins/dialects/messages/files.ts'
import { findReferences } from '../../src/file-references/find-references.ts'
import { buried, countedBytes, countedFields } from './counted.ts'

const owns = (name: string) => name.startsWith('local://')
const picture = { type: 'image_url', image_url: { url: 'local://a' } }

function look(json: Record<string, unknown>) {
  const { bytes, reads } = countedBytes(JSON.stringify(json))
  const { fields, looks } = countedFields()
  const found = findReferences({ bytes, json }, fields, owns)
  return { found, reads: reads() / bytes.length, looks: looks() }
}

test('a client that mentions a path elsewhere has none of its bytes read for that', () => {
  for (const levels of [0, 2, 5, 14]) {
    const { found, reads } = look({ messages: buried('hi', levels), user: 'local://a' })
    expect([levels, found, reads]).toEqual([levels, [], 0])
  }
})

test('however deep a file is named, each byte is passed once', () => {
  const [flat, deep] = [0, 5].map((levels) => look({ messages: buried(picture, levels) }))
  expect([flat?.found.length, deep?.found.length]).toEqual([1, 1])
  expect(deep?.found[0]).toMatchObject({
    param: `messages${'.content'.repeat(5)}[2000].image_url.url`,
  })
  // A separator is looked at by the value before it as well.
  expect(deep?.reads).toBeLessThan(4)
  expect((deep?.reads ?? 0) / (flat?.reads ?? 0)).toBeLessThan(1.1)
})

test('however deep content nests, each object is looked at once, and none where content ends', () => {
  const looksAt = (levels: number) => look({ messages: buried(picture, levels) }).looks
  expect(looksAt(1) - looksAt(0)).toBe(1)
  expect(looksAt(5) - looksAt(1)).toBe(4)
  expect(looksAt(1_000)).toBe(looksAt(100))
  expect(looksAt(1_000)).toBeLessThan(12)
})

test('a picture in a document in the result of a tool is as deep as content goes', () => {
  const image = { type: 'image', source: { type: 'url', url: 'local://a' } }
  const document = { type: 'document', source: { type: 'content', content: [image] } }
  const result = { type: 'tool_result', tool_use_id: 't', content: [document] }
  const json = { messages: [{ role: 'user', content: [result] }] }
  const bytes = Buffer.from(JSON.stringify(json))
  const [found] = findReferences({ bytes, json }, messagesFiles, owns)
  expect(bytes.toString('utf8', found?.at.start, found?.at.end)).toBe(
    '"source":{"type":"url","url":"local://a"}',
  )
})

test('of a list that stands twice the files of the one that counts are found', () => {
  const text = `{"messages":[${JSON.stringify(picture)},1],"messages":{"content":[${JSON.stringify(picture)}]}}`
  const json = JSON.parse(text) as Record<string, unknown>
  const found = findReferences({ bytes: Buffer.from(text), json }, countedFields().fields, owns)
  expect(found).toMatchObject([
    { param: 'messages.content[0].image_url.url', at: { start: text.lastIndexOf('"url"') } },
  ])
})
