import { expect, test } from 'vitest'

import { ByteList } from '../src/lib/byte-list.ts'

const bytes = Buffer.from('abcdefghij')

/** The bytes in chunks of this size. */
function chunksOf(size: number): Buffer[] {
  const chunks: Buffer[] = []
  for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size))
  return chunks
}

test.for([
  { place: 10, from: 0 },
  { place: 10, from: 2 },
  { place: 10, from: 4 },
  { place: 7, from: 1 },
  { place: 1, from: 2 },
  { place: 99, from: 1 },
])('a place for $place bytes after $from chunks changes no byte', ({ place, from }) => {
  for (const take of ['take', 'takeChunks'] as const) {
    const list = new ByteList()
    for (const [index, chunk] of chunksOf(3).entries()) {
      if (index === from) list.reserve(place)
      list.add(chunk)
    }
    if (from === 4) list.reserve(place)
    expect(list.size).toBe(10)
    const taken = list[take]()
    expect(Buffer.concat([taken].flat()).toString()).toBe('abcdefghij')
    expect(list.size).toBe(0)
    list.add(bytes)
    expect(list.take()).toBe(bytes)
  }
})

test('bytes in a place are copied once', () => {
  const list = new ByteList()
  list.reserve(bytes.length)
  for (const chunk of chunksOf(3)) list.add(chunk)
  const taken = list.take()
  expect(taken.buffer.byteLength).toBe(bytes.length)
})
