import { afterAll, beforeAll, describe, test } from 'vitest'

import { names } from '../samples/index.ts'
import { checkOtherType } from './check.ts'
import { accountsFor, allRows } from './rows.ts'
import { type FieldStage, startFieldStage } from './stage.ts'

const rows = allRows()

describe.each(names)('a field of a client of %s', (client) => {
  let stage: FieldStage
  beforeAll(async () => void (stage = await startFieldStage()))
  afterAll(() => stage[Symbol.asyncDispose]())

  const fields = rows[client].flatMap((row) => row.fields.map((field) => [field, row] as const))
  const carried = fields.filter(([, row]) => row.value !== undefined)
  test.each(carried)('%s of another type is refused or named', async (field, row) => {
    for (const account of accountsFor(client)) {
      const kind = row.fates[account]?.kind
      if (kind !== 'carried' && kind !== 'changed') continue
      await checkOtherType(stage, [client, account], row, field)
    }
  })
})
