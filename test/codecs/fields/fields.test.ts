import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { dailyRows } from '../../daily-rows.ts'
import { names } from '../samples/index.ts'
import { checkFate } from './check.ts'
import { type Row, accountsFor, allRows } from './rows.ts'
import { isInside, sdkFields } from './sdk-fields.ts'
import { type FieldStage, startFieldStage } from './stage.ts'

const rows = allRows()

const wholeFields = (name: (typeof names)[number]) =>
  rows[name].flatMap(({ isWhole, fields }) => (isWhole ? fields : []))

describe('no field of an SDK is without a decision', () => {
  const known = sdkFields(wholeFields)

  test.each(names)('of a client of %s', (client) => {
    const wholes = wholeFields(client)
    const decided = new Set(rows[client].flatMap(({ fields }) => fields))
    const undecided = [...known[client]].filter(
      (field) => !decided.has(field) && !wholes.some((whole) => isInside(field, whole)),
    )
    expect(undecided).toEqual([])
  })

  test.each(names)('and no decision of a client of %s is about a field that is gone', (client) => {
    const fields = [...known[client]]
    const isKnown = ({ isWhole, isBeyond }: Row, field: string) =>
      isBeyond || fields.some((one) => one === field || (isWhole && isInside(one, field)))
    const gone = rows[client].flatMap((row) => row.fields.filter((field) => !isKnown(row, field)))
    expect(gone).toEqual([])
  })

  test.each(names)('and no hint of a client of %s is without a reason', (client) => {
    const silent = rows[client].filter(({ fates }) =>
      Object.values(fates).some(({ kind }) => kind === 'hint' || kind === 'own'),
    )
    expect(silent.filter(({ note }) => note === '').map(({ fields }) => fields)).toEqual([])
  })
})

describe.each(names)('a field of a client of %s becomes what the table says', (client) => {
  let stage: FieldStage
  beforeAll(async () => void (stage = await startFieldStage()))
  afterAll(() => stage[Symbol.asyncDispose]())

  const fields = rows[client].flatMap((row) => row.fields.map((field) => [field, row] as const))

  test.each(dailyRows(fields, names.indexOf(client)))('%s', async (field, row) => {
    for (const account of accountsFor(client)) {
      await checkFate(stage, [client, account], row, field)
    }
  })
})
