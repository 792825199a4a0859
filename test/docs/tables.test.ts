import { expect, test } from 'vitest'

import { readGenerated } from './generated.ts'
import { openPage } from './pages.ts'
import { tables } from './tables.ts'

test.each(tables)(
  '$page has its table of $region; `node test/docs/write.ts` writes it',
  async ({ page, region, render }) => {
    expect(readGenerated(openPage(page).text, region)).toBe((await render()).trim())
  },
)
