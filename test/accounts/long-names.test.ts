import { expect, test } from 'vitest'

import { dialectNames } from '../requests/dialects.ts'
import { startService } from '../requests/service.ts'

test('a name as long as a book is no model, even where any name is', async () => {
  await using service = await startService()
  const model = 'x'.repeat(1_000_000)
  for (const dialect of dialectNames) {
    if (dialect === 'generate') continue
    const response = await service.ask(dialect, { model })
    expect([400, 404]).toContain(response.status)
    expect((await response.text()).length).toBeLessThan(2_000)
  }
  expect(service.upstream.requests).toEqual([])
  const lines = await service.gateway.logged(3)
  expect(JSON.stringify(lines).length).toBeLessThan(10_000)
})
