import { expect, test } from 'vitest'

import { readGenerated } from './generated.ts'
import {
  errorTypesRegion,
  metricsRegion,
  renderErrorTypes,
  renderMetrics,
} from './metrics/table.ts'
import { openPage } from './pages.ts'

const { text } = openPage('docs/metrics.md')

test('the page lists every metric and every type of error: `node test/docs/metrics/write.ts`', () => {
  expect(readGenerated(text, metricsRegion)).toBe(renderMetrics())
  expect(readGenerated(text, errorTypesRegion)).toBe(renderErrorTypes())
})
