import { expect, test } from 'vitest'

import { readGenerated } from '../generated.ts'
import { openPage } from '../pages.ts'
import { fieldsPage, fieldsRegion, renderFields } from './table.ts'

test('the page of fields shows the decisions; `node test/docs/fields/write.ts` writes them', () => {
  expect(readGenerated(openPage(fieldsPage).text, fieldsRegion)).toBe(renderFields())
})
