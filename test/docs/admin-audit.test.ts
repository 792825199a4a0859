import { expect, test } from 'vitest'

import { openCheckout } from './checkout.ts'
import { openPage } from './pages.ts'

const [exported = ''] = openPage('docs/admin-audit.md').blocks('sh')

test('the command of the page prints the acts of commands', async () => {
  await using checkout = await openCheckout()
  await checkout.run('npm start -- keys create --id team-b')
  const day = new Date().toISOString().slice(0, 10)
  const printed = await checkout.run(exported.replace(/\d{4}-\d\d-\d\d/, day))
  expect(printed).toMatch(/"action":"key.create".*"id":"team-b".*"result":"DONE"/)
  const later = await checkout.run(exported.replace(/\d{4}-\d\d-\d\d/, '2999-01-01'))
  expect(later).not.toContain('key.create')
})
