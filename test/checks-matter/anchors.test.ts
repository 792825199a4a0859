import { readFile } from 'node:fs/promises'

import { expect, test } from 'vitest'

import { mutations } from './mutations.ts'

test('every check that can be disabled stands where its mutation looks for it', async () => {
  const sources = new Map<string, Promise<string>>()
  const misplaced: string[] = []
  for (const { name, file, find, replace } of mutations) {
    const reading = sources.get(file) ?? readFile(new URL(`../../${file}`, import.meta.url), 'utf8')
    sources.set(file, reading)
    const count = (await reading).split(find).length - 1
    if (count !== 1 || find === replace) misplaced.push(`${name}: ${count} times in ${file}`)
  }
  expect(misplaced).toEqual([])
})
