import { expect, test } from 'vitest'

import { commands } from '../../src/cli/commands.ts'
import { openCheckout, serving } from './checkout.ts'
import { addressed, openPage } from './pages.ts'
import { printed } from './shells.ts'

const page = openPage('docs/admin-terminal.md')
const [create = '', start = '', list = '', disable = '', tail = '', tailJson = '', ...more] =
  page.blocks('sh')

test('an operator lists, disables and follows from the terminal, as the page shows', async () => {
  await using checkout = await openCheckout()
  await checkout.run(create)
  const { admin } = await serving(checkout.start(start))
  expect(await checkout.run(addressed(list, { admin }))).toMatch(/^sandbox +sandbox +enabled/m)
  const following = checkout.start(addressed(tail, { admin }))
  const inJson = checkout.start(addressed(tailJson, { admin }))
  await printed(following, /Following/)
  await printed(inJson, /Following/)
  await checkout.run(addressed(disable, { admin }))
  await printed(following, /Z audit .*action=account\.disable .*reason=drill/)
  await printed(inJson, /^\{"type":"AuditRecorded",.*"reason":"drill"/m)
  for (const shell of [following, inJson]) shell.signal('SIGINT')
  await Promise.all([following.ended, inJson.ended])
  expect(await checkout.run(addressed(list, { admin }))).toMatch(/^sandbox +sandbox +disabled/m)
  expect(more).toEqual([])
})

test('the page has every command that speaks to a running gateway', () => {
  const remote = commands.filter(({ options }) => options.some(({ name }) => name === 'url'))
  const rows = page.section('Commands')
  const missing = remote.filter(({ name }) => !rows.includes(`\`${name}`))
  expect(missing.map(({ name }) => name)).toEqual([])
})
