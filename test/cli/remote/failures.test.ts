import { expect, test } from 'vitest'

import { openPlace } from '../dragoman.ts'
import { openDesk, sandboxAccount } from './desk.ts'
import { json, startFakeGateway } from './fake-gateway.ts'

const token = 'dga_canary-of-the-admin-token-0123456789'

test('a wrong token, an API key and a role that may not are told apart', async () => {
  await using desk = await openDesk()
  const env = desk.env()
  const wrong = { ...env, DRAGOMAN_ADMIN_TOKEN: token }
  const apiKey = { ...env, DRAGOMAN_ADMIN_TOKEN: 'dgm_of-a-client' }
  for (const [words, given, said] of [
    ['accounts list', wrong, /refuses the admin token: it is wrong, expired or revoked\.\n$/],
    ['audit export', wrong, /refuses the admin token/],
    ['tail', wrong, /refuses the admin token/],
    ['keys list', apiKey, /it is an API key/],
    [
      'accounts disable a --reason x',
      desk.env('viewer'),
      /needs an admin token of the role operator/,
    ],
    ['keys create', desk.env('operator'), /needs an admin token of the role admin/],
  ] as const) {
    const failed = await desk.place.call(words, given)
    expect(failed, words).toMatchObject({ code: 1, stdout: '' })
    expect(failed.stderr, words).toMatch(said)
    expect(failed.stderr).not.toContain('dga_')
  }
})

test('the outcomes of acts that do not happen are told with what to do', async () => {
  await using desk = await openDesk([sandboxAccount('a', { enabled: false })])
  for (const [words, said] of [
    ['accounts disable none --reason x', 'There is no account "none".'],
    [
      'keys revoke test --reason x',
      'Fix: write a configuration file (`dragoman init`) without it or with another keys[0]',
    ],
    ['keys rotate none --reason drill', 'There is no API key "none".'],
    ['accounts enable a', 'in the configuration'],
    ['jobs forget none --reason x', 'There is no job "none".'],
  ] as const) {
    const failed = await desk.remote(words)
    expect(failed, words).toMatchObject({ code: 1, stdout: '' })
    expect(failed.stderr).toContain(said)
  }
})

test('an address where no admin API answers is told, with what to check', async () => {
  await using desk = await openDesk()
  await using gone = await startFakeGateway((response) => json(response, {}))
  const { url } = gone
  await gone[Symbol.asyncDispose]()
  const cases: [string, RegExp][] = [
    [url, /No gateway answers at http:\/\/127\.0\.0\.1:\d+: nothing listens there\. Is it running/],
    [desk.gateway.url, /is not the admin address of a gateway: it answered 404/],
    ['http://127.0.0.1:1', /No gateway answers at http:\/\/127\.0\.0\.1:1: no client/],
    [desk.sandbox.url, /is not the admin address of a gateway/],
  ]
  for (const words of ['accounts list', 'tail', 'audit export', 'keys revoke a --reason x']) {
    for (const [address, said] of cases) {
      const env = { DRAGOMAN_ADMIN_TOKEN: token }
      const failed = await desk.place.call(`${words} --url ${address}`, env)
      expect(failed, `${words} ${address}`).toMatchObject({ code: 1, stdout: '' })
      expect(failed.stderr).toMatch(said)
    }
  }
})

test('an act whose answer is lost may have been done, which is said', async () => {
  await using place = await openPlace()
  await using fake = await startFakeGateway((response) => void response.destroy())
  const env = { DRAGOMAN_ADMIN_URL: fake.url, DRAGOMAN_ADMIN_TOKEN: token }
  const act = await place.call('keys revoke a --reason x', env)
  expect(act.code).toBe(1)
  expect(act.stderr).toContain('may have been done or not')
  const read = await place.call('keys list', env)
  expect(read.stderr).toMatch(/has closed the connection without an answer\.\n$/)
})

test('an act that is answered too late may have been done, which is said', async () => {
  await using place = await openPlace()
  const extensions = { code: 'TOO_SLOW' }
  const answers = ['a proxy waits no longer', { errors: [{ message: 'It is late.', extensions }] }]
  for (const answer of answers) {
    await using fake = await startFakeGateway((response) => json(response, answer, 504))
    const env = { DRAGOMAN_ADMIN_URL: fake.url, DRAGOMAN_ADMIN_TOKEN: token }
    const act = await place.call('keys revoke a --reason x', env)
    expect(act.code).toBe(1)
    expect(act.stderr).toContain('may have been done or not')
    expect((await place.call('keys list', env)).stderr).not.toContain('may have been done')
  }
})

test('what an answer lacks is said once, beside the answer', async () => {
  await using place = await openPlace()
  const extensions = {
    incomplete: [
      { field: 'keys', reason: '2 processes did not answer in full: p\u001b2, p1.' },
      { field: 'revokeKey', reason: 'The audit log lacks the result of this act.' },
    ],
    other: 7,
  }
  let pages = 0
  await using fake = await startFakeGateway((response, { body }) => {
    const hasNextPage = ++pages === 1
    const pageInfo = { hasNextPage, endCursor: 'x' }
    const key = { id: 'a', state: 'REVOKED' }
    const data = body.query?.startsWith('mutation')
      ? { revokeKey: { __typename: 'RevokeKeySuccess', key } }
      : { keys: { edges: [], pageInfo } }
    json(response, { data, extensions })
  })
  const env = { DRAGOMAN_ADMIN_URL: fake.url, DRAGOMAN_ADMIN_TOKEN: token }
  for (const words of ['keys list --json', 'keys revoke a --reason x']) {
    const { code, stderr } = await place.call(words, env)
    expect(code).toBe(0)
    const lines = stderr.split('\n')
    expect(lines.filter((line) => /lacks|in full/.test(line))).toEqual([
      String.raw`keys: 2 processes did not answer in full: p\u001b2, p1.`,
      'revokeKey: The audit log lacks the result of this act.',
    ])
  }
})

test('flags that name no gateway are never taken for a command on the store', async () => {
  await using desk = await openDesk()
  const { adminUrl } = desk.gateway
  for (const [words, said] of [
    ['accounts disable a --reason x --token t', 'name its admin address with --url'],
    ['accounts list --insecure', 'name its admin address with --url'],
    ['tail', '`tail` asks a running gateway'],
    ['accounts test a', '`accounts test` asks a running gateway'],
    ['accounts reset a', '`accounts reset` asks a running gateway'],
    ['jobs refresh a', '`jobs refresh` asks a running gateway'],
    [`accounts list --url ${adminUrl.replace('//', '//user:pass@')}`, 'without a user and a query'],
    ['accounts list --url ftp://127.0.0.1', 'without a user and a query'],
    ['accounts list --url 127.0.0.1:8788', 'without a user and a query'],
    ['tail --topics exchange', 'Did you mean `exchanges`?'],
  ] as const) {
    const env = words.includes('topics') ? desk.env() : {}
    const refused = await desk.place.call(words, env)
    expect(refused, words).toMatchObject({ code: 2, stdout: '' })
    expect(refused.stderr).toContain(said)
  }
  // A flag goes before the variable.
  const local = await desk.place.call(`accounts list --config dragoman.config.json`, {
    DRAGOMAN_ADMIN_URL: 'http://127.0.0.1:1',
    DRAGOMAN_ADMIN_TOKEN: token,
  })
  expect(local.stdout).toMatch(/^a +sandbox +enabled/m)
})

test('a gateway of another version is told apart from a broken one', async () => {
  await using place = await openPlace()
  const errors = [
    {
      message: 'Cannot query field "stateUntil" on type "Account".',
      extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
    },
  ]
  await using old = await startFakeGateway((response) => json(response, { errors }, 400))
  const env = { DRAGOMAN_ADMIN_TOKEN: token, DRAGOMAN_ADMIN_URL: old.url }
  const failed = await place.call('accounts list', env)
  expect(failed.code).toBe(1)
  expect(failed.stderr).toMatch(
    /version may be different from the version of the command \(\d+\.\d+\.\d+\)/,
  )

  await using broken = await startFakeGateway((response) =>
    json(response, { errors: [{ message: 'Unexpected error.', extensions: { requestId: 'r1' } }] }),
  )
  const defect = await place.call('accounts list', { ...env, DRAGOMAN_ADMIN_URL: broken.url })
  expect(defect).toMatchObject({ code: 1, stderr: 'dragoman: Unexpected error. (request r1)\n' })
})

test('a list that asks too fast waits, and one that never ends is left', async () => {
  await using place = await openPlace()
  const page = (endCursor: string, hasNextPage = true) => ({
    data: { keys: { edges: [], pageInfo: { hasNextPage, endCursor } } },
  })
  await using fake = await startFakeGateway((response) => {
    const { length } = fake.visits
    if (length === 1) return json(response, page('1'))
    if (length === 2) {
      response.setHeader('retry-after', '0')
      return json(response, { errors: [{ message: 'Too many operations.' }] }, 429)
    }
    return json(response, page('2'))
  })
  const env = { DRAGOMAN_ADMIN_TOKEN: token, DRAGOMAN_ADMIN_URL: fake.url }
  const failed = await place.call('keys list', env)
  expect(failed).toMatchObject({ code: 1, stdout: '' })
  expect(failed.stderr).toMatch(/does not go on/)
  const cursors = fake.visits.map(({ body }) => body.variables?.['after'])
  expect(cursors).toEqual([null, '1', '1', '2'])
})

test('a list that fails on the way is no valid JSON', async () => {
  await using place = await openPlace()
  const key = { id: 'a', state: 'ACTIVE', models: null, explain: false, losses: null, errors: null }
  const times = { expiresAt: null, createdAt: null, rotatedAt: null, graceUntil: null }
  const node = { ...key, ...times, managedBy: 'STORE' }
  await using fake = await startFakeGateway((response) => {
    if (fake.visits.length > 1) return void response.destroy()
    const pageInfo = { hasNextPage: true, endCursor: '1' }
    return json(response, { data: { keys: { edges: [{ node }], pageInfo } } })
  })
  const env = { DRAGOMAN_ADMIN_TOKEN: token, DRAGOMAN_ADMIN_URL: fake.url }
  const failed = await place.call('keys list --json', env)
  expect(failed.code).toBe(1)
  expect(() => JSON.parse(failed.stdout) as unknown).toThrow()
})

test('an export that breaks off is never taken for the whole', async () => {
  await using place = await openPlace()
  await using fake = await startFakeGateway((response) => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' })
    response.write('{"id":"1"}\n', () => response.destroy())
  })
  const env = { DRAGOMAN_ADMIN_TOKEN: token, DRAGOMAN_ADMIN_URL: fake.url }
  const failed = await place.call('audit export --from 2026-01-31', env)
  expect(failed.code).toBe(1)
  expect(failed.stderr).toContain('the output is incomplete')
  expect(fake.visits[0]?.path).toBe('/audit.ndjson?from=2026-01-31T00%3A00%3A00.000Z')
})

test('a command behind a proxy with a path finds the gateway', async () => {
  await using place = await openPlace()
  await using fake = await startFakeGateway((response) => json(response, {}, 404))
  const env = { DRAGOMAN_ADMIN_TOKEN: token, DRAGOMAN_ADMIN_URL: `${fake.url}/ops/` }
  await place.call('keys list', env)
  await place.call('audit export', env)
  expect(fake.visits.map(({ path }) => path)).toEqual(['/ops/graphql', '/ops/audit.ndjson'])
})

test('a new secret is shown although the rest of the answer fails', async () => {
  await using place = await openPlace()
  const errors = [{ message: 'The gateway failed.', path: ['createKey', 'key', 'state'] }]
  const createKey = { __typename: 'CreateKeySuccess', key: null, secret: 'dgm_new' }
  await using fake = await startFakeGateway((response) =>
    json(response, { data: { createKey }, errors }),
  )
  const env = { DRAGOMAN_ADMIN_URL: fake.url, DRAGOMAN_ADMIN_TOKEN: token }
  const created = await place.call('keys create --id a', env)
  expect(created).toMatchObject({ code: 0, stdout: 'dgm_new\n' })
  expect(created.stderr).toContain('A part of the answer is missing: The gateway failed.')
  const shown = await place.call('keys create --id a --json', env)
  expect(JSON.parse(shown.stdout)).toEqual({ id: 'a', secret: 'dgm_new' })
})
