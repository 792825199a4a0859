import { DatabaseSync } from 'node:sqlite'

import { expect, test } from 'vitest'

import { openDatabase } from '../../src/stores/file/database.ts'
import { prepareWrites } from '../../src/stores/file/operations.ts'
import { temporaryDirectory } from './temporary.ts'

test('sweeps take what has expired, wherever it stands, and leave the rest', async () => {
  await using directory = await temporaryDirectory()
  const database = openDatabase(directory.path)
  const { apply, sweep } = prepareWrites(database)
  const now = Date.now()
  database.exec('BEGIN')
  for (let index = 0; index < 5_000; index++) {
    const expires = [now - 1, now + 60_000, null][index % 3] ?? null
    const entries = [{ id: String(index), envelope: '{}', expires }]
    apply({ do: 'set', namespace: index % 2 ? 'odd' : 'even', listed: false, entries })
  }
  apply({ do: 'count', namespace: 'n', id: 'old', by: 1, expires: now - 1 })
  apply({ do: 'count', namespace: 'n', id: 'new', by: 1, expires: now + 60_000 })
  database.exec('COMMIT')
  for (let sweeps = 0; sweeps < 5; sweeps++) sweep()
  for (const [table, left] of [
    ['records_odd', 1_667],
    ['records_even', 1_666],
  ] as const) {
    expect(count(database, table, `expires <= ${now}`)).toBe(0)
    expect(count(database, table, 'true')).toBe(left)
  }
  expect(count(database, 'counters', 'true')).toBe(1)
  database.close()
})

function count(database: DatabaseSync, table: string, condition: string): number {
  return Number(database.prepare(`SELECT count(*) n FROM ${table} WHERE ${condition}`).get()?.['n'])
}
