import { expect, test } from 'vitest'

import { statusWithKey } from '../dragoman.ts'
import { dataOf, openDesk } from './desk.ts'

interface Shown {
  readonly id: string
  readonly state: string
  readonly graceUntil?: string
  readonly secret: string
}

test('an admin issues, rotates and revokes a key of a running gateway', async () => {
  await using desk = await openDesk()
  const { url } = desk.gateway
  const created = await desk.remote(
    'keys create team --models gpt-*,o1 --expires 2100-01-31 --losses reject --errors native --explain --json',
  )
  const key = dataOf(created) as Shown
  expect(key).toEqual({
    id: 'team',
    state: 'active',
    models: ['gpt-*', 'o1'],
    explain: true,
    losses: 'reject',
    errors: 'native',
    expires: '2100-01-31T00:00:00.000Z',
    created: expect.stringMatching(/^20.*Z$/) as string,
    secret: expect.stringMatching(/^dgm_/) as string,
  })
  expect(created.stderr).not.toContain(key.secret)
  expect(await statusWithKey(url, key.secret)).toBe(200)

  const rotated = await desk.remote('keys rotate team --grace 1h --reason lost')
  const next = rotated.stdout
  expect(next).toMatch(/^dgm_\S+\n$/)
  expect(rotated.stderr).toMatch(/Its former secret works until 20\S+Z\./)
  expect(await statusWithKey(url, key.secret)).toBe(200)
  expect(await statusWithKey(url, next)).toBe(200)

  const revoked = await desk.remote('keys revoke team --reason leaked --json')
  expect(dataOf(revoked)).toMatchObject({ id: 'team', state: 'revoked' })
  expect(await statusWithKey(url, key.secret)).toBe(401)
  expect(await statusWithKey(url, next)).toBe(401)

  const audit = (await desk.remote('audit export')).stdout
  expect(audit).toMatch(/"reason":"leaked"/)
  expect(audit + (await desk.remote('keys list --json')).stdout).not.toContain('dgm_')
})

test('the list of keys is the same, whether the gateway or the store is asked', async () => {
  await using desk = await openDesk()
  await desk.remote('keys create a --models x --losses drop --errors spec')
  await desk.remote('keys create b --explain --expires 2100-01-31')
  await desk.remote('keys revoke a --reason test')
  await desk.remote('keys create c')
  await desk.remote('keys rotate c --grace 1h')
  const remote = dataOf(await desk.remote('keys list --json', 'viewer')) as Shown[]
  expect(remote.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'test'])
  expect(dataOf(await desk.local('keys list --json'))).toEqual(remote)
  expect(dataOf(await desk.local('keys list --json --limit 2'))).toEqual(remote.slice(0, 2))
  const table = (await desk.remote('keys list', 'viewer')).stdout
  expect(table).toMatch(
    /^ID +STATE +TEAM +MODELS +EXPIRES +CREATED +FROM +LOSSES +ERRORS +EXPLAIN +GRACE UNTIL +WHY\n/,
  )
  const grace = remote.find(({ id }) => id === 'c')?.graceUntil
  expect(table).toMatch(new RegExp(`^c +active +all +never .*store +${grace}$`, 'm'))
  expect(table).toMatch(/^test +active +all +never +configuration$/m)
})

test('commands on the store record the reason as well', async () => {
  await using desk = await openDesk()
  await desk.local('keys create a --reason needed')
  await desk.local('keys rotate a --reason old')
  await desk.local('keys revoke a --reason leaked')
  await desk.local('accounts disable a --reason drill')
  const lines = (await desk.local('audit export')).stdout.trim().split('\n')
  const reasons = lines.map((line) => (JSON.parse(line) as { reason?: string }).reason)
  expect(reasons).toEqual(['needed', 'old', 'leaked', 'drill'])
})
