import { expect, test } from 'vitest'

import { answerJson, startFakeAccount } from '../../src/testing/fake-account.ts'
import { openStore } from '../../src/stores/open.ts'
import { until } from '../../src/testing/until.ts'
import { completionOf } from './completion.ts'
import { startAdminGateway } from './admin-gateway.ts'
import { accountOf, accountsOf, act, ask, send } from './stored-accounts.ts'

const completion = completionOf('m')

/** An upstream whose answers a test changes. */
async function startUpstream() {
  const answers = { chat: answerJson(completion), models: answerJson({ object: 'list', data: [] }) }
  const upstream = await startFakeAccount((response, request) =>
    request.method === 'GET' ? answers.models(response, request) : answers.chat(response, request),
  )
  return { upstream, answers }
}

const failing = answerJson({ error: { message: 'no', type: 'server_error' } }, { status: 500 })

const configured = (baseUrl: string, rest: object = {}) => ({
  id: 'one',
  provider: 'openai',
  baseUrl,
  apiKey: 'sk-canary-0123456789-abcd',
  speaks: ['chat'],
  models: ['m'],
  ...rest,
})

test('an open circuit is told with its reason, and an operator closes it', async () => {
  const { upstream, answers } = await startUpstream()
  await using _upstream = upstream
  await using gateway = await startAdminGateway({ accounts: [configured(upstream.url)] })
  answers.chat = failing
  for (let calls = 0; calls < 5; calls++) await ask(gateway)
  expect(await accountOf(gateway, 'one')).toMatchObject({
    enabled: true,
    serves: 'SOME',
    stateReason: expect.stringContaining('dialect chat') as string,
    circuits: [{ dialect: 'chat' }],
  })
  expect(await accountsOf(gateway, 'serves: SOME')).toHaveLength(1)
  expect(await accountsOf(gateway, 'serves: ALL')).toEqual([])

  answers.chat = answerJson(completion)
  expect(await ask(gateway)).not.toBe(200)
  const other = await act(gateway, 'resetCircuit', { id: 'one', dialect: 'nope' })
  expect(other).toMatchObject({
    __typename: 'Invalid',
    problems: [{ path: 'input.dialect', message: 'is no dialect of the account: it speaks chat' }],
  })
  const reset = await act(gateway, 'resetCircuit', { id: 'one' })
  expect(reset).toMatchObject({
    __typename: 'ResetCircuitSuccess',
    ended: 1,
    account: { state: 'ENABLED', circuits: [] },
  })
  expect(await ask(gateway)).toBe(200)
  expect((await act(gateway, 'resetCircuit', { id: 'none' })).__typename).toBe('NotFound')
})

test('a pause that an account asked for is told with its end, and an operator ends it', async () => {
  const { upstream, answers } = await startUpstream()
  await using _upstream = upstream
  await using gateway = await startAdminGateway({
    accounts: [configured(upstream.url, { models: ['m', 'n'] })],
  })
  answers.chat = answerJson(
    { error: { message: 'slow down', type: 'requests', code: 'rate_limit_exceeded' } },
    { status: 429, headers: { 'retry-after': '60' } },
  )
  for (const model of ['m', 'n']) await ask(gateway, model)
  const cooling = await accountOf(gateway, 'one')
  expect(cooling).toMatchObject({ state: 'COOLING', coolDowns: [{ model: 'm' }, { model: 'n' }] })
  expect(Date.parse(cooling.stateUntil!)).toBeGreaterThan(Date.now())

  answers.chat = answerJson(completion)
  expect(await ask(gateway)).toBe(429)
  const one = await act(gateway, 'clearCoolDown', { id: 'one', model: 'm' })
  expect(one).toMatchObject({ ended: 1, account: { coolDowns: [{ model: 'n' }] } })
  expect(await ask(gateway)).toBe(200)
  expect(await ask(gateway, 'n')).toBe(429)
  const all = await act(gateway, 'clearCoolDown', { id: 'one' })
  expect(all).toMatchObject({ ended: 1, account: { state: 'ENABLED' } })
  expect(await ask(gateway, 'n')).toBe(200)
})

test('an account that refuses its credential is told as refused; a test says why; an operator tries it again', async () => {
  const { upstream, answers } = await startUpstream()
  await using _upstream = upstream
  let at = 0
  await using gateway = await startAdminGateway({
    accounts: [configured(upstream.url)],
    uptime: () => at,
  })
  const refusal = answerJson(
    { error: { message: 'bad key', type: 'invalid_request_error', code: 'invalid_api_key' } },
    { status: 401 },
  )
  Object.assign(answers, { chat: refusal, models: refusal })
  await ask(gateway)
  await until(async () => (await accountOf(gateway, 'one')).state === 'REFUSED')
  expect((await accountOf(gateway, 'one')).stateReason).toContain('401')
  expect((await act(gateway, 'testAccount', { id: 'one' })).outcome).toBe('REFUSED')

  Object.assign(answers, {
    chat: answerJson(completion),
    models: answerJson({ object: 'list', data: [] }),
  })
  // Each test is a call with the credential: one of some seconds before is shared.
  const sent = upstream.requests.length
  expect((await act(gateway, 'testAccount', { id: 'one' })).outcome).toBe('REFUSED')
  expect(upstream.requests.length).toBe(sent)
  at = 3_000
  const tried = await act(gateway, 'testAccount', { id: 'one' })
  expect(tried).toMatchObject({ __typename: 'TestAccountSuccess', outcome: 'ACCEPTED' })
  expect(upstream.requests.at(-1)!.headers.authorization).toBe('Bearer sk-canary-0123456789-abcd')
  const cleared = await act(gateway, 'clearCoolDown', { id: 'one' })
  expect(cleared.account?.state).toBe('ENABLED')
  expect(await ask(gateway)).toBe(200)
})

test('a test goes to the saved address only, once for all who ask, and not to an account without a free call', async () => {
  const { upstream } = await startUpstream()
  await using _upstream = upstream
  await using gateway = await startAdminGateway({
    accounts: [
      configured(upstream.url),
      {
        id: 'silent',
        provider: 'sandbox',
        baseUrl: upstream.url,
        speaks: ['videos'],
        models: ['v'],
      },
    ],
  })
  const tests = await Promise.all([1, 2, 3].map(() => act(gateway, 'testAccount', { id: 'one' })))
  expect(tests.map(({ outcome }) => outcome)).toEqual(['ACCEPTED', 'ACCEPTED', 'ACCEPTED'])
  expect(upstream.requests.length).toBeLessThanOrEqual(3)
  const { errors } = await send(gateway, 'testAccount', {
    id: 'one',
    baseUrl: 'http://127.0.0.1:1',
  })
  expect(errors[0]?.message).toContain('baseUrl')
  expect((await act(gateway, 'testAccount', { id: 'none' })).__typename).toBe('NotFound')
})

test('accounts are disabled and enabled in all processes; what the file disables stays so', async () => {
  const { upstream } = await startUpstream()
  await using _upstream = upstream
  const store = await openStore('memory:', { cwd: '.' })
  const accounts = [
    configured(upstream.url),
    configured(upstream.url, { id: 'off', enabled: false }),
  ]
  await using one = await startAdminGateway({ store, accounts })
  await using other = await startAdminGateway({ store, accounts })
  const disabled = await act(one, 'disableAccount', { id: 'one', reason: 'broken', drain: true })
  expect(disabled.account).toMatchObject({
    state: 'DISABLED',
    stateReason: 'an operator disabled it: broken',
  })
  expect(await ask(one)).not.toBe(200)
  await until(async () => (await ask(other)) !== 200)
  const enabled = await act(other, 'enableAccount', { id: 'one' })
  expect(enabled).toMatchObject({
    __typename: 'EnableAccountSuccess',
    account: { state: 'ENABLED' },
  })
  await until(async () => (await ask(one)) === 200)
  expect(await accountOf(one, 'off')).toMatchObject({
    state: 'DISABLED',
    stateReason: 'the configuration disables it',
  })
  expect((await act(one, 'enableAccount', { id: 'off' })).__typename).toBe('ManagedByFile')
})

test('a stored account that is created disabled is enabled by an operator', async () => {
  const { upstream } = await startUpstream()
  await using _upstream = upstream
  await using gateway = await startAdminGateway({})
  const { apiKey: credential, ...rest } = configured(upstream.url, { enabled: false })
  const created = await act(gateway, 'createAccount', { ...rest, credential })
  expect(created.account).toMatchObject({
    state: 'DISABLED',
    stateReason: 'its record disables it',
  })
  await act(gateway, 'disableAccount', { id: 'one', reason: 'twice' })
  const enabled = await act(gateway, 'enableAccount', { id: 'one' })
  expect(enabled.account).toMatchObject({ state: 'ENABLED', version: 2 })
  expect(await ask(gateway)).toBe(200)
  // An account of the same id begins without the decisions about its predecessor.
  await act(gateway, 'disableAccount', { id: 'one', reason: 'replace' })
  await act(gateway, 'deleteAccount', { id: 'one', reason: 'replace' })
  await act(gateway, 'createAccount', { ...rest, credential, enabled: true })
  await until(async () => (await accountOf(gateway, 'one')).state === 'ENABLED')
})

test('each act needs its role', async () => {
  await using gateway = await startAdminGateway({ accounts: [configured('http://127.0.0.1:9')] })
  const id = 'one'
  const account = { id: 'two', provider: 'openai', models: ['m'] }
  const needs = {
    operator: [
      ['disableAccount', { id, reason: 'x' }],
      ['enableAccount', { id }],
      ['resetCircuit', { id }],
      ['clearCoolDown', { id }],
      ['testAccount', { id }],
    ],
    admin: [
      ['createAccount', account],
      ['updateAccount', account],
      ['deleteAccount', { id, reason: 'x' }],
    ],
  } as const
  for (const [name, input] of needs.operator) {
    expect((await send(gateway, name, input, 'viewer')).errors[0]?.extensions?.code).toBe(
      'FORBIDDEN',
    )
    expect((await send(gateway, name, input, 'operator')).errors).toEqual([])
  }
  for (const [name, input] of needs.admin) {
    const { errors } = await send(gateway, name, input, 'operator')
    expect(errors[0]?.extensions?.code).toBe('FORBIDDEN')
  }
})
