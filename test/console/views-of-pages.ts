import { afterAll, beforeAll, expect, test } from 'vitest'

import type { View } from './console-page.ts'
import { everyPage } from './every-page.ts'
import { type Fixture, startFixture } from './fixture.ts'
import { excessOf, wrongOn } from './walk.ts'

let fixture: Fixture

/** Each page in these views, of which each page has one with axe. */
export function describeEveryPage(views: readonly View[]): void {
  beforeAll(async () => void (fixture = await startFixture()), 60_000)

  afterAll(() => fixture[Symbol.asyncDispose]())

  // `npm run test:console` examines each page in all views and states.
  test.each(views.map((view, place) => ({ ...view, place })))(
    'each page breaks no policy, shows no secret and fits $width pixels for the role $role, and is accessible in one of the views',
    async ({ place, ...view }) => {
      await using opened = await fixture.open({ ...view, path: 'jobs', keepsStreams: true })
      const found: string[] = []
      for (const [index, row] of everyPage(fixture.seen).entries()) {
        await opened.visit(row.path)
        const findings = index % views.length === place ? await opened.axe() : []
        const wrong = await wrongOn(opened, row, fixture.canaries)
        found.push(
          ...[...findings, ...wrong, ...(await excessOf(opened))].map(
            (one) => `${row.path}: ${one}`,
          ),
        )
      }
      expect(found).toEqual([])
    },
    60_000,
  )
}
