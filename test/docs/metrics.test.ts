import { expect, test } from 'vitest'

import { openPlace } from '../cli/dragoman.ts'
import { readGenerated } from './generated.ts'
import {
  errorTypesRegion,
  metricsRegion,
  renderErrorTypes,
  renderMetrics,
} from './metrics/table.ts'
import { openPage } from './pages.ts'

const page = openPage('docs/metrics.md')
const { text } = page

test('the page lists every metric and every type of error: `node test/docs/metrics/write.ts`', () => {
  expect(readGenerated(text, metricsRegion)).toBe(renderMetrics())
  expect(readGenerated(text, errorTypesRegion)).toBe(renderErrorTypes())
})

test('`dragoman check` has nothing to say about the prices of the page', async () => {
  await using place = await openPlace()
  const config = JSON.parse(page.block('json', '"prices"')) as object
  const keys = [{ id: 'team', secret: 'hush' }]
  await place.write('dragoman.config.json', JSON.stringify({ ...config, keys }))
  const secrets = { OPENAI_API_KEY: 'a', ANTHROPIC_API_KEY: 'b', GEMINI_API_KEY: 'c' }
  const { code, stderr } = await place.call('check', secrets)
  expect({ code, stderr }).toEqual({ code: 0, stderr: 'No problems.\n' })
})
