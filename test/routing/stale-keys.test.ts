import { expect, test } from 'vitest'

import { openStore } from '../../src/stores/open.ts'
import { breakable } from '../../src/testing/breakable-store.ts'
import { until } from '../../src/testing/until.ts'
import { form } from '../walks/streams/forms.ts'
import { startPair } from './pair.ts'

test('while the store is away a known key works and an unknown one is told to come again', async () => {
  const store = breakable(await openStore('memory:', { cwd: '.' }))
  await using pair = await startPair(form.chat, { store })
  expect(await pair.ask({ key: 'unknown' })).toMatchObject({ status: 401 })

  store.broken.reads = true
  await until(async () => (await pair.ask({ key: 'unknown' })).status !== 401)

  const refused = await pair.ask({ key: 'unknown' })
  expect(refused).toMatchObject({ status: 503, json: { error: { type: expect.any(String) } } })
  expect(refused.headers.get('x-should-retry')).toBe('true')
  expect(refused.headers.get('retry-after')).toBe('1')
  expect(await pair.ask()).toMatchObject({ status: 200 })

  store.broken.reads = false
  await until(async () => (await pair.ask({ key: 'unknown' })).status === 401)
})
