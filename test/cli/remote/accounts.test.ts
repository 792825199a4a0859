import { expect, test } from 'vitest'

import { answerJson, startFakeAccount } from '../../../src/testing/fake-account.ts'
import { type Page, nodesOf } from '../../admin/admin-gateway.ts'
import { dataOf, openDesk, respond, sandboxAccount } from './desk.ts'

test('an operator takes an account out of a running gateway and back, and sees it', async () => {
  await using desk = await openDesk([sandboxAccount('a'), sandboxAccount('b', { enabled: false })])
  const listed = await desk.remote('accounts list', 'viewer')
  expect(listed).toMatchObject({ code: 0, stderr: '' })
  expect(listed.stdout).toMatch(/^ID +PROVIDER +STATE +SERVES +FROM +IN FLIGHT +UNTIL +WHY\n/)
  expect(listed.stdout).toMatch(/^a +sandbox +enabled +all +configuration +0$/m)
  expect(listed.stdout).toMatch(/^b +sandbox +disabled .*the configuration disables it$/m)
  expect((await respond(desk)).status).toBe(200)

  const disabled = await desk.remote('accounts disable a --reason drill --json', 'operator')
  expect(dataOf(disabled)).toMatchObject({ id: 'a', provider: 'sandbox', state: 'disabled' })
  expect(disabled.stderr).toContain('The account "a" is disabled.')
  expect((await respond(desk)).status).toBe(503)
  const off = await desk.remote('accounts list', 'viewer')
  expect(off.stdout).toMatch(/^a .*an operator disabled it: drill$/m)
  expect((await desk.local('accounts list')).stdout).toBe(off.stdout)

  const enabled = await desk.remote('accounts enable --id a', 'operator')
  expect(enabled).toMatchObject({ code: 0, stdout: '' })
  expect((await desk.local('accounts list')).stdout).not.toContain('drill')
  expect((await respond(desk)).status).toBe(200)
  const log = (await desk.remote('audit export', 'viewer')).stdout.trim().split('\n')
  const records = log.map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(records).toMatchObject([
    {
      action: 'account.disable',
      reason: 'drill',
      actor: { kind: 'token', id: 'operator' },
      agent: expect.stringContaining('command line') as string,
    },
    { action: 'account.enable', result: 'DONE' },
    { action: 'audit.export' },
  ])
})

test('the list of many accounts goes on behind the first page, up to the limit', async () => {
  const many = Array.from({ length: 123 }, (_, index) => sandboxAccount(`a${1_000 + index}`))
  await using desk = await openDesk(many)
  const all = dataOf(await desk.remote('accounts list --json')) as { id: string }[]
  expect(all.map(({ id }) => id)).toEqual(many.map(({ id }) => id))
  const some = await desk.remote('accounts list --limit 60')
  expect(some.stdout.trim().split('\n')).toHaveLength(61)
  expect(some.stderr).toContain('There are more')
  expect((await desk.local('accounts list --limit 60')).stdout.trim().split('\n')).toHaveLength(61)
  const chosen = await desk.remote('accounts list --provider sandbox --state enabled --limit 60')
  expect(chosen.stdout.trim().split('\n')).toHaveLength(61)
  for (const words of ['--provider openai', '--state cooling']) {
    const none = await desk.remote(`accounts list ${words}`)
    expect([words, none.code, none.stderr]).toEqual([words, 0, 'No accounts match.\n'])
  }
  for (const ask of [desk.remote, desk.local]) {
    const unknown = await ask('accounts list --state gone')
    expect([unknown.code, unknown.stderr]).toEqual([
      2,
      expect.stringContaining('--state takes enabled, disabled, invalid') as string,
    ])
  }
  for (const limit of ['0', 'all', '-1', '1e3']) {
    expect((await desk.remote(`accounts list --limit=${limit}`)).code).toBe(2)
  }
})

test('an operator closes a circuit, and ends the pauses of a model', async () => {
  let status = 500
  const slow = { error: { message: 'no', code: 'rate_limit_exceeded' } }
  const broken = { error: { message: 'no', type: 'server_error' } }
  await using upstream = await startFakeAccount((response, request) =>
    status === 429
      ? answerJson(slow, { status, headers: { 'retry-after': '60' } })(response, request)
      : answerJson(broken, { status })(response, request),
  )
  const account = { baseUrl: `${upstream.url}/v1`, provider: 'openai', models: ['m', 'n'] }
  await using desk = await openDesk([sandboxAccount('a', account)])
  for (let calls = 0; calls < 5; calls++) await respond(desk, { model: 'm' })
  const open = await desk.remote('accounts list')
  expect(open.stdout).toMatch(/^a +openai +enabled +some +configuration +0 +20\S+Z +.*responses/m)
  const other = await desk.remote('accounts reset a --dialect chat --json', 'operator')
  expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining('it speaks responses') })
  const reset = await desk.remote('accounts reset a', 'operator')
  expect(reset.stderr).toContain('circuits closed: 1, pauses and refusals ended: 0')
  expect((await desk.remote('accounts list')).stdout).toMatch(/^a +openai +enabled/m)

  status = 429
  for (const model of ['m', 'n']) await respond(desk, { model })
  const one = await desk.remote('accounts reset a --model m --json', 'operator')
  expect(dataOf(one)).toMatchObject({
    state: 'enabled',
    serves: 'some',
    ended: { circuits: 0, pauses: 1 },
  })
  const rest = await desk.remote('accounts reset a --json', 'operator')
  expect(dataOf(rest)).toMatchObject({ state: 'enabled', ended: { circuits: 0, pauses: 1 } })
})

test('only a credential that its account accepts is a success', async () => {
  let status = 200
  await using upstream = await startFakeAccount((response, request) =>
    answerJson(status === 200 ? { object: 'list', data: [] } : { error: { message: 'no' } }, {
      status,
    })(response, request),
  )
  const account = { baseUrl: `${upstream.url}/v1`, provider: 'openai' }
  await using desk = await openDesk(['a', 'b', 'c'].map((id) => sandboxAccount(id, account)))
  const accepted = await desk.remote('accounts test a --json', 'operator')
  expect(dataOf(accepted)).toMatchObject({ id: 'a', outcome: 'accepted', message: null })
  expect(accepted.stderr).toMatch(/accepts its credential \(responses, \d+ ms\)\.$/m)
  status = 401
  const refused = await desk.remote('accounts test b --json', 'operator')
  expect(refused.code).toBe(1)
  const why = 'The account answers with the status 401.'
  expect(JSON.parse(refused.stdout)).toMatchObject({ outcome: 'refused', message: why })
  expect(refused.stderr).toContain(`ms). ${why}`)
  status = 500
  const unknown = await desk.remote('accounts test c', 'operator')
  expect(unknown).toMatchObject({ code: 1, stdout: '' })
  expect(unknown.stderr).toContain('says nothing about its credential')
  expect(unknown.stderr).toContain('ms). The account answers with the status 500.')
})

test('an account that cannot be given its credential is tested with the step that fails, and what to do', async () => {
  await using issuer = await startFakeAccount(
    answerJson({ error: 'invalid_client' }, { status: 401 }),
  )
  const entra = { tenantId: 't', clientId: 'c', clientSecret: 'hush-1', authority: issuer.url }
  const azure = { provider: 'azure', baseUrl: issuer.url, entra }
  const { apiKey: _, ...account } = sandboxAccount('azure', azure)
  await using desk = await openDesk([account as ReturnType<typeof sandboxAccount>])
  const refused = await desk.remote('accounts test azure --json', 'operator')
  const fix = 'check tenantId and clientId of entra, and whether the client secret has ended'
  expect(refused.code).toBe(1)
  expect(JSON.parse(refused.stdout)).toMatchObject({
    outcome: 'refused',
    message: expect.stringContaining('refuses a token with the status 401') as unknown,
    fix,
  })
  expect(refused.stderr).toContain(`\nfix: ${fix}`)
  expect(refused.stdout + refused.stderr).not.toContain('hush')
})

test('every act on an account or a job takes a reason for its audit record', async () => {
  await using desk = await openDesk()
  const words = ['accounts enable a', 'accounts reset a', 'accounts test a', 'jobs refresh none']
  for (const act of words) await desk.remote(`${act} --reason drill`)
  await desk.local('accounts enable a --reason drill')
  const audit = '{ audit { edges { node { action reason } } } }'
  const { data } = await desk.gateway.graph<{ audit: Page<object> }>(audit)
  const actions = ['enable', 'test', 'clear-cool-down', 'reset-circuit', 'enable']
  expect(nodesOf(data.audit)).toEqual(
    [
      `account.${actions[0]}`,
      'job.refresh',
      ...actions.slice(1).map((one) => `account.${one}`),
    ].map((action) => ({ action, reason: 'drill' })),
  )
})
