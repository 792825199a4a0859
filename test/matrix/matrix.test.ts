import { describe, expect, test } from 'vitest'

import { readGenerated } from '../docs/generated.ts'
import { openPage } from '../docs/pages.ts'
import { type Cell, expectedOutcome, observe } from './cell.ts'
import { cells, nameOf } from './cells.ts'
import { dialects } from './dialects.ts'
import type { Outcome } from './outcome.ts'
import { matrixPage, matrixRegion, renderMatrix } from './table.ts'

const observations = new Map<string, Promise<Outcome>>()

/** Every cell is driven once, whichever test asks first. */
function observeOnce(cell: Cell): Promise<Outcome> {
  const name = nameOf(cell)
  const observation = observations.get(name) ?? observe(cell)
  observations.set(name, observation)
  return observation
}

describe.each(dialects)('a client that speaks %s', (client) => {
  const own = cells.filter((cell) => cell.client === client)
  test.each(own.map((cell) => [nameOf(cell), cell] as const))('%s', async (_, cell) => {
    expect(await observeOnce(cell)).toBe(expectedOutcome(cell))
  })
})

test('the page shows the outcome of every cell; `npm run matrix` writes it', async () => {
  const observed = new Map<string, Outcome>()
  for (const cell of cells) observed.set(nameOf(cell), await observeOnce(cell))

  const { text } = openPage(matrixPage)

  expect(readGenerated(text, matrixRegion)).toBe(renderMatrix(observed))
})
