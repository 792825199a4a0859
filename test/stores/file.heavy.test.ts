import { once } from 'node:events'
import { text } from 'node:stream/consumers'

import { expect, test } from 'vitest'

import { temporaryDirectory } from './temporary.ts'
import { disposable, startWriter } from './file-stores.ts'

test('processes that open and write at once lose nothing', async () => {
  await using directory = await temporaryDirectory()
  const writers = ['a', 'b', 'c'].map((name) => startWriter(directory.path, name, 300))
  const ends = await Promise.all(
    writers.map(async (writer) => {
      const [errors] = await Promise.all([text(writer.stderr), once(writer, 'close')])
      return { code: writer.exitCode, errors }
    }),
  )
  expect(ends).toEqual(Array.from({ length: 3 }, () => ({ code: 0, errors: '' })))
  await using opened = await disposable(directory.path)
  expect(await opened.store.records('things', { listed: true }).list({ limit: 2000 })).toHaveLength(
    900,
  )
})

test('processes that make a new store at the same moment can all use it', async () => {
  for (let round = 0; round < 5; round++) {
    await using directory = await temporaryDirectory()
    const writers = ['a', 'b', 'c'].map((name) => startWriter(directory.path, name, 1))
    const codes = await Promise.all(
      writers.map(async (writer) => (await once(writer, 'close'))[0] as number),
    )
    expect(codes).toEqual([0, 0, 0])
  }
})
