import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import type { JsonObject } from '../../src/lib/json/object.ts'
import { type Feature, type Treatment, lackOf } from '../../src/generate/unsupported.ts'
import { findLosses } from '../../src/translate/losses.ts'
import { lossTable } from './loss-table.ts'
import { codecs, decode, encode, expressible, type Name, names, pairs } from './samples/index.ts'

const treatments: readonly Treatment[] = ['native', 'warn', 'silent']

/** What becomes of each feature, as the table has it. */
function treated(client: Name, account: Name): Map<Feature, Treatment> {
  const row = lossTable[`${client} on ${account}`]
  return new Map(
    treatments.flatMap((treatment) =>
      (row?.[treatment] ?? []).map((feature) => [feature, treatment] as const),
    ),
  )
}

test('the table has a row for every client on every account of another dialect', () => {
  const rows = pairs.map(([client, account]) => `${client} on ${account}`)
  expect(Object.keys(lossTable)).toEqual(rows)
  expect(rows).toHaveLength(12)
})

describe.each(names)('a client of %s', (client) => {
  test.each(expressible(client))('that asks for %s is understood so', (feature, sample) => {
    const { fields, extras } = decode(client, sample.with)
    expect(fields).toHaveProperty(feature)
    expect(extras).toEqual([])
    expect(decode(client, sample.without ?? {}).fields).not.toHaveProperty(feature)
  })
})

describe.each(pairs)('a client of %s on an account of %s', (client, account) => {
  test('loses what the table says', () => {
    const lost = expressible(client).flatMap(([feature]) => {
      const lack = lackOf(codecs[account], feature)
      return lack ? [[feature, lack.treatment] as const] : []
    })
    expect(new Map(lost)).toEqual(treated(client, account))
  })

  test.each(expressible(client).filter(([feature]) => !treated(client, account).has(feature)))(
    'has %s told to the account',
    (_, sample) => {
      const dropped: string[] = []
      const told = encode(account, decode(client, sample.with), (field) => void dropped.push(field))
      expect(told).not.toEqual(encode(account, decode(client, sample.without ?? {})))
      expect(dropped).toEqual([])
    },
  )

  test('has recorded of any request what the table says of the features that it uses', () => {
    const table = treated(client, account)
    fc.assert(
      fc.property(fc.subarray(expressible(client)), (samples) => {
        const body: JsonObject = Object.assign({}, ...samples.map(([, sample]) => sample.with))
        const request = decode(client, body)
        const due = Object.entries(request.fields).flatMap(([feature, field]) => {
          const treatment = table.get(feature as Feature)
          return treatment ? [{ field, treatment }] : []
        })
        const recorded = findLosses(request, codecs[account]).map(({ field, treatment }) => ({
          field,
          treatment,
        }))
        expect(recorded).toHaveLength(due.length)
        expect(recorded).toEqual(expect.arrayContaining(due))
      }),
      { numRuns: 100 },
    )
  })
})
