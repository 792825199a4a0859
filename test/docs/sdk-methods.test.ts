import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { sdkMethodsFile } from '../../scripts/sdk-methods/page.ts'

const { path, text } = sdkMethodsFile()

test('the page has each method of the SDKs; `npm run generate` writes it', () => {
  expect(readFileSync(join(import.meta.dirname, '../..', path), 'utf8')).toBe(text)
})

test.each([
  ['`chat.completions.create`', 'native, translated'],
  ['`embeddings.create`', 'native, translated'],
  ['`audio.speech.create`', 'native'],
  ['`batches.cancel`', 'native'],
  ['`messages.countTokens`', 'native, translated'],
  ['`messages.batches.results`', 'native'],
  ['`models.generateContentStream`', 'native, translated'],
  ['`images.createVariation`', 'absent'],
])('%s is %s', (name, verdict) => {
  const row = text.split('\n').find((line) => line.includes(name))
  expect(row?.split(' | ').at(-1)).toBe(`${verdict} |`)
})
