import { expect, test } from 'vitest'

import { type Feature, lackOf } from '../../src/generate/unsupported.ts'
import { featureRequests } from '../../src/testing/contracts/codec-requests.ts'
import { openPage } from './pages.ts'

const rows = openPage('docs/features.md')
  .text.split('\n')
  .flatMap((line) => [...line.matchAll(/^\| `(\w+)` \| (.+) \| `(\w+)` \|$/g)])
  .map(([, name = '', meaning = '', treatment = '']) => ({ name, meaning, treatment }))

/** The contract has a request for each feature of the type, which the compiler checks. */
const features = Object.keys(featureRequests) as Feature[]

test('the page defines each feature once, in the order of its name', () => {
  expect(rows.map(({ name }) => name)).toEqual(features.toSorted())
})

test.each(rows)(
  '$name has a meaning, and its default treatment',
  ({ name, meaning, treatment }) => {
    expect(meaning.length).toBeGreaterThan(15)
    expect(lackOf({ supports: [] }, name as Feature)?.treatment).toBe(treatment)
  },
)
