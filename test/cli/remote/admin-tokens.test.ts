import { expect, test } from 'vitest'

import { dataOf, openDesk } from './desk.ts'

interface Shown {
  readonly id: string
  readonly state: string
  readonly secret: string
}

test('an admin creates a token of a running gateway, lists it and revokes it', async () => {
  await using desk = await openDesk()
  const created = await desk.remote(
    'admin-tokens create ops --role operator --expires 2100-01-31 --reason shift --json',
  )
  const token = dataOf(created) as Shown
  expect(token).toMatchObject({
    id: 'ops',
    state: 'active',
    role: 'operator',
    from: 'store',
    expires: '2100-01-31T00:00:00.000Z',
    createdBy: 'token:admin',
  })
  expect(created.stderr).toMatch(/^The admin token "ops" of role operator is created, until 2100/)
  expect(created.stderr).not.toContain(token.secret)
  const asOps = { ...desk.env(), DRAGOMAN_ADMIN_TOKEN: token.secret }
  expect((await desk.place.call('accounts list', asOps)).code).toBe(0)
  expect((await desk.remote('admin-tokens create')).stdout).toMatch(/^dga_\S+\n$/)
  expect(await desk.remote('admin-tokens create ops')).toMatchObject({ code: 1 })

  const revoked = await desk.remote('admin-tokens revoke ops --reason leaked --json')
  expect(dataOf(revoked)).toMatchObject({ id: 'ops', state: 'revoked' })
  expect((await desk.place.call('accounts list', asOps)).code).toBe(1)
  const audit = (await desk.remote('audit export')).stdout
  expect(audit).toMatch(/"reason":"shift"/)
  expect(audit).toMatch(/"reason":"leaked"/)
  expect(audit).not.toContain('dga_')
})

test('the stored tokens are the same, whether the gateway or the store is asked', async () => {
  await using desk = await openDesk()
  await desk.remote('admin-tokens create b --role viewer')
  await desk.remote('admin-tokens create a --role viewer')
  await desk.local('admin-tokens revoke a --reason unused')
  expect((await desk.remote('audit export')).stdout).toMatch(/"reason":"unused"/)
  const stored = async (words: string) => {
    const run = words.startsWith('remote') ? desk.remote : desk.local
    const tokens = dataOf(await run('admin-tokens list --json')) as (Shown & { from: string })[]
    return tokens.filter(({ from }) => from === 'store')
  }
  const remote = await stored('remote')
  expect(remote.map(({ id, state }) => [id, state])).toEqual([
    ['a', 'revoked'],
    ['b', 'active'],
  ])
  expect(await stored('local')).toEqual(remote)
  const table = (await desk.remote('admin-tokens list --limit 2', 'viewer')).stdout
  expect(table).toMatch(/^ID +STATE +ROLE +EXPIRES +CREATED +LAST USED +FROM\n/)
  expect(table.trimEnd().split('\n')).toHaveLength(3)
})

test('a role that may not create tokens is told so', async () => {
  await using desk = await openDesk()
  const refused = await desk.remote('admin-tokens create ops', 'operator')
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain('admin')
  const configured = await desk.remote('admin-tokens revoke viewer --reason x')
  expect(configured.code).toBe(1)
})
