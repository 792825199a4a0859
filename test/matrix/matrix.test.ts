import { describe, expect, test } from 'vitest'

import { dailyRows } from '../daily-rows.ts'
import { readGenerated } from '../docs/generated.ts'
import { openPage } from '../docs/pages.ts'
import { expectedOutcome, observe } from './cell.ts'
import { cells, nameOf } from './cells.ts'
import { dialects } from './dialects.ts'
import { matrixPage, matrixRegion, renderMatrix } from './table.ts'

describe.each(dialects)('a client that speaks %s', (client) => {
  const own = cells.filter((cell) => cell.client === client)
  const rows = own.map((cell) => [nameOf(cell), cell] as const)
  test.each(dailyRows(rows, dialects.indexOf(client)))('%s', async (_, cell) => {
    expect(await observe(cell)).toBe(expectedOutcome(cell))
  })
})

test('the page shows the outcome that each cell must have; `npm run matrix` writes it', () => {
  const outcomes = new Map(cells.map((cell) => [nameOf(cell), expectedOutcome(cell)]))

  const { text } = openPage(matrixPage)

  expect(readGenerated(text, matrixRegion)).toBe(renderMatrix(outcomes))
})
