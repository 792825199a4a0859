import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { type Cell, expectedOutcome, observe } from './cell.ts'
import { cells, nameOf } from './cells.ts'
import { dialects } from './dialects.ts'
import type { Outcome } from './outcome.ts'
import { renderMatrix, shownIn } from './table.ts'

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

test('the README shows what became of every cell; `npm run matrix` writes it', async () => {
  const observed = new Map<string, Outcome>()
  for (const cell of cells) observed.set(nameOf(cell), await observeOnce(cell))

  const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8')

  expect(shownIn(readme)).toBe(renderMatrix(observed))
})
