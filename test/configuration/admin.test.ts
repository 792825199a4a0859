import { join } from 'node:path'

import { expect, test } from 'vitest'

import { checkConfiguration, resolveSettings } from '../../src/configuration/resolve.ts'
import { hashSecret } from '../../src/stores/key-secret.ts'
import { openPlace } from '../cli/dragoman.ts'

const secret = 'canary-'.repeat(5)
const token = { id: 'ops', secret, role: 'operator' }

test('the tokens of the file and of the environment are known by their hashes', () => {
  const hash = hashSecret('other').toUpperCase().replace('SHA', 'sha')
  const tokens = [
    { id: 'ops', secret: 'env:OPS', role: 'operator', expiresAt: '2030-01-31' },
    { id: 'hashed', hash, role: 'viewer' },
  ]
  const env = { OPS: 'from-the-environment-of-this-test', DRAGOMAN_ADMIN_TOKEN: secret }
  expect(resolveSettings({ admin: { port: 1, tokens } }, { env })).toMatchObject({
    admin: { host: '127.0.0.1', port: 1 },
    adminTokens: [
      { id: 'ops', hash: hashSecret(env.OPS), role: 'operator', expiresAt: Date.UTC(2030, 0, 31) },
      { id: 'hashed', hash: hashSecret('other'), role: 'viewer' },
      { id: 'environment', hash: hashSecret(secret), role: 'admin' },
    ],
  })
})

test.each([
  ['no object', 'x', {}, ['admin']],
  ['true', true, {}, ['admin']],
  ['null', null, {}, ['admin']],
  ['a secret in the place of the object', secret, {}, ['admin']],
  ['an unknown setting', { tokns: [] }, {}, ['admin.tokns']],
  ['a bad port', { port: 70_000 }, {}, ['admin.port']],
  ['no list', { tokens: secret }, {}, ['admin.tokens']],
  ['a secret in the place of a token', { tokens: [secret] }, {}, ['admin.tokens[0]']],
  ['neither secret nor hash', { tokens: [{ id: 'a', role: 'admin' }] }, {}, ['admin.tokens[0]']],
  [
    'both secret and hash',
    { tokens: [{ ...token, hash: hashSecret('x') }] },
    {},
    ['admin.tokens[0]'],
  ],
  ['no role', { tokens: [{ id: 'a', secret }] }, {}, ['admin.tokens[0].role']],
  [
    'a role that no one has',
    { tokens: [{ ...token, role: 'root' }] },
    {},
    ['admin.tokens[0].role'],
  ],
  ['a secret as the role', { tokens: [{ ...token, role: secret }] }, {}, ['admin.tokens[0].role']],
  ['an empty secret', { tokens: [{ ...token, secret: '' }] }, {}, ['admin.tokens[0].secret']],
  [
    'a variable that is not set',
    { tokens: [{ ...token, secret: 'env:NOT_SET' }] },
    {},
    ['admin.tokens[0].secret'],
  ],
  [
    'an id twice',
    { tokens: [token, { ...token, secret: 'another-'.repeat(4) }] },
    {},
    ['admin.tokens[1].id'],
  ],
  ['a secret twice', { tokens: [token, { ...token, id: 'b' }] }, {}, ['admin.tokens[1]']],
  [
    'the id of the environment',
    { tokens: [{ ...token, id: 'environment' }] },
    {},
    ['admin.tokens[0].id'],
  ],
  [
    'the secret of the environment',
    { tokens: [token] },
    { DRAGOMAN_ADMIN_TOKEN: secret },
    ['DRAGOMAN_ADMIN_TOKEN'],
  ],
  ['a short secret', {}, { DRAGOMAN_ADMIN_TOKEN: 'canary'.repeat(5) }, ['DRAGOMAN_ADMIN_TOKEN']],
  [
    'a short secret in the file',
    { tokens: [{ ...token, secret: 'canary'.repeat(5) }] },
    {},
    ['admin.tokens[0].secret'],
  ],
  [
    'a short secret in a variable',
    { tokens: [{ ...token, secret: 'env:OPS' }] },
    { OPS: 'canary'.repeat(5) },
    ['admin.tokens[0].secret'],
  ],
  ['a line break', {}, { DRAGOMAN_ADMIN_TOKEN: `${secret}\n` }, ['DRAGOMAN_ADMIN_TOKEN']],
  ['an odd switch', {}, { DRAGOMAN_ADMIN: 'perhaps' }, ['DRAGOMAN_ADMIN']],
])('%s is a problem that repeats no secret', (_, admin, env, paths) => {
  const { problems, settings } = checkConfiguration({ admin }, { env })
  expect(problems.map(({ path }) => path)).toEqual(paths)
  expect(JSON.stringify([problems, settings])).not.toContain('canary')
})

test('an API key and an admin token have different secrets', () => {
  const keys = [{ id: 'team', secret }]
  const { problems } = checkConfiguration({ keys, admin: { tokens: [token] } }, { env: {} })
  expect(problems).toMatchObject([
    { path: 'admin.tokens[0]', message: expect.stringContaining('API key "team"') },
  ])
})

test('the variable may name the place of the token, which then is no token itself', async () => {
  await using place = await openPlace()
  await place.write('token', `${secret}\n`)
  const file = `file:${join(place.path, 'token')}`
  for (const env of [
    { DRAGOMAN_ADMIN_TOKEN: file },
    { DRAGOMAN_ADMIN_TOKEN: 'env:OPS_TOKEN', OPS_TOKEN: secret },
  ]) {
    const { adminTokens } = resolveSettings({}, { env })
    expect(adminTokens).toMatchObject([{ id: 'environment', hash: hashSecret(secret) }])
  }
  const { problems } = checkConfiguration({}, { env: { DRAGOMAN_ADMIN_TOKEN: `${file}-gone` } })
  expect(problems).toMatchObject([
    { path: 'DRAGOMAN_ADMIN_TOKEN', message: expect.stringContaining('does not exist') },
  ])
})

test('an empty variable is no token and no switch', () => {
  const env = { DRAGOMAN_ADMIN_TOKEN: '', DRAGOMAN_ADMIN: '' }
  const settings = resolveSettings({}, { env })
  expect([settings.admin, settings.adminTokens]).toEqual([
    { host: '127.0.0.1', port: 8788 },
    undefined,
  ])
})

test('flags win over the environment, and the environment over the file', () => {
  const adminOf = (admin: object | false, variable?: string, flag?: string) =>
    resolveSettings(
      { admin },
      {
        env: { DRAGOMAN_ADMIN_TOKEN: secret, ...(variable && { DRAGOMAN_ADMIN: variable }) },
        flags: flag ? { admin: flag } : {},
      },
    )
  for (const off of [adminOf(false), adminOf({ port: 1 }, 'off'), adminOf({}, 'on', 'off')]) {
    expect([off.admin, off.adminTokens]).toEqual([false, undefined])
  }
  expect(adminOf(false, 'on').admin).toEqual({ host: '127.0.0.1', port: 8788 })
  expect(adminOf({ port: 1 }, 'off', 'on').admin).toEqual({ host: '127.0.0.1', port: 1 })
  const same = { listen: { port: 8788 } }
  expect(checkConfiguration({ ...same, admin: false }, { env: {} }).problems).toEqual([])
  expect(checkConfiguration(same, { env: {} }).problems).toHaveLength(1)
})
