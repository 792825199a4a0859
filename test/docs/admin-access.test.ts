import { expect, test } from 'vitest'

import { adminLimits } from '../../src/admin/limits.ts'
import { startAdminGateway } from '../admin/admin-gateway.ts'
import { addressed, openPage, repository } from './pages.ts'
import { openShells } from './shells.ts'

const page = openPage('docs/admin-access.md')

test('the call of the page to the admin API is answered', async () => {
  await using gateway = await startAdminGateway()
  await using shells = openShells(repository, process.env)
  const [example = ''] = page.commands('curl')
  const answer = await shells.run(addressed(example, { admin: gateway.adminUrl }), {
    DRAGOMAN_ADMIN_TOKEN: gateway.token('viewer'),
  })
  expect(answer).toContain('{"data":{"viewer":{"id":"viewer","role":"viewer"}}}')
})

test('the limits of the page are those that hold', () => {
  const values = (row: string) =>
    [
      ...(new RegExp(`^\\| ${row}[^|]*\\|([^|]*)\\|`, 'm').exec(page.text)?.[1] ?? '').matchAll(
        /[\d,]+/g,
      ),
    ]
      .map(([text]) => Number(text.replaceAll(',', '')))
      .filter((value) => !Number.isNaN(value) && value > 0)
  expect(values('body')).toEqual([adminLimits.bodyBytes / 1024, adminLimits.bodyMs / 1000])
  expect(values('tokens')).toEqual([adminLimits.tokens])
  expect(values('nested fields')).toEqual([adminLimits.depth])
  expect(values('fields')).toEqual([adminLimits.fields])
  expect(values('time')).toEqual([adminLimits.queryMs / 1000])
  expect(values('operations of a token')).toEqual([
    adminLimits.queriesPerSecond,
    adminLimits.tokenBurst,
  ])
  expect(values('operations of all')).toEqual([
    adminLimits.queriesPerSecond,
    adminLimits.sessionBurst,
  ])
  expect(values('streams')).toEqual([adminLimits.streams, adminLimits.streamsOfOne])
})
