import { expect, test } from 'vitest'

import { openPlace } from './dragoman.ts'

test('the life of an admin token', async () => {
  await using place = await openPlace()
  const created = await place.run('admin-tokens create ci --role viewer --expires 30d')
  expect(created.code).toBe(0)
  expect(created.stdout).toMatch(/^dga_[\w-]{43}\n$/)
  expect(created.stderr).toContain('The admin token "ci" of role viewer is created')
  expect(created.stderr).not.toContain(created.stdout.trim())

  const again = await place.call('admin-tokens create ci')
  expect(again).toMatchObject({ code: 1, stdout: '' })
  expect(again.stderr).toMatch(
    /"ci" exists since 20\d\d-\S+Z; its secret is not shown again: choose another id/,
  )

  const listed = await place.call('admin-tokens list')
  expect(listed.stdout).toMatch(/^ID .*\nci +active +viewer +20.* store\n$/)
  expect(listed.stdout).not.toContain('sha256')

  const revoked = await place.call('admin-tokens revoke --id ci')
  expect(revoked).toMatchObject({ code: 0, stdout: '' })
  const [token] = JSON.parse((await place.call('admin-tokens list --json')).stdout)
  expect(token).toMatchObject({ id: 'ci', state: 'revoked', role: 'viewer', from: 'store' })
  const late = await place.call('admin-tokens create ci')
  expect(late).toMatchObject({ code: 1, stdout: '' })
  expect(late.stderr).toMatch(
    /"ci" was revoked at 20\d\d-\S+Z, and the id of a revoked token is never used again: choose another id/,
  )
  const key = await place.call('keys create team')
  expect(key.code).toBe(0)
  expect((await place.call('keys create team')).stderr).toContain(
    'The key "team" already exists: choose another id, or give it a new secret by a rotation.',
  )
  await place.call('keys revoke team')
  expect((await place.call('keys create team')).stderr).toContain(
    'The key "team" is revoked, and the id of a revoked key is never used again: choose another id.',
  )
})

test('without a role and a name, a token of an administrator gets a name and 90 days', async () => {
  await using place = await openPlace()
  expect((await place.call('admin-tokens list')).stderr).toContain('admin-tokens create')
  const { stdout } = await place.call('admin-tokens create --json')
  const { id, role, secret, expires } = JSON.parse(stdout)
  expect([id, role, secret]).toEqual([
    expect.stringMatching(/^admin-[0-9a-f]{8}$/),
    'admin',
    expect.stringMatching(/^dga_/),
  ])
  const days = (Date.parse(expires) - Date.now()) / (24 * 60 * 60_000)
  expect(Math.round(days)).toBe(90)
})

test('what cannot be meant is refused', async () => {
  await using place = await openPlace()
  const admin = { tokens: [{ id: 'ops', secret: 'env:OPS', role: 'operator' }] }
  await place.write('dragoman.config.json', JSON.stringify({ admin }))
  const env = { OPS: 'o'.repeat(32), DRAGOMAN_ADMIN_TOKEN: 'e'.repeat(32) }
  const commands = [
    ['create --role root', 2],
    ['create a/b', 2],
    ['create a --id b', 2],
    ['create --expires yesterday', 2],
    ['create environment', 2],
    ['revoke', 2],
    ['create ops', 1],
    ['revoke ops', 1],
    ['revoke environment', 1],
    ['revoke nothing', 1],
    ['create --store memory:', 3],
  ] as const
  for (const [words, code] of commands) {
    const result = await place.call(`admin-tokens ${words}`, env)
    expect([words, result.code, result.stdout]).toEqual([words, code, ''])
  }
  const { stdout } = await place.call('admin-tokens list', env)
  expect(stdout).toMatch(/^ops +active +operator +never .*configuration$/m)
  expect(stdout).toMatch(/^environment +active +admin +never .*environment$/m)
  const check = await place.call('check', env)
  expect(check.stdout).toMatch(/Admin tokens\n[^]*ops +active +operator/)
})
