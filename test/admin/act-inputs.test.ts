import { expect, test } from 'vitest'

import { answerJson, startFakeAccount } from '../../src/testing/fake-account.ts'
import { type Page, nodesOf, startAdminGateway } from './admin-gateway.ts'

interface Answered {
  readonly __typename: string
  readonly fix?: string
  readonly message?: string | null
  readonly outcome?: string
  readonly problems?: { readonly path: string }[]
}

type Gateway = Awaited<ReturnType<typeof startAdminGateway>>

async function act(gateway: Gateway, name: string, input: object, more = ''): Promise<Answered> {
  const title = `${name[0]!.toUpperCase()}${name.slice(1)}`
  const query = `mutation ($input: ${title}Input!) { ${name}(input: $input) { __typename
    ... on Invalid { problems { path } } ... on ManagedByFile { fix } ${more} } }`
  const { data, errors } = await gateway.graph<Record<string, Answered>>(query, { input })
  expect(errors).toEqual([])
  return data[name]!
}

const accounts = [
  { id: 'one', provider: 'openai', baseUrl: 'http://127.0.0.1:9', apiKey: 'k', models: ['m'] },
]

test('a blank reason is no reason, and no act happens with it', async () => {
  await using gateway = await startAdminGateway({ accounts })
  const acts: [name: string, input: object][] = [
    ['disableAccount', { id: 'one' }],
    ['createKey', { id: 'new' }],
    ['revokeKey', { id: 'new' }],
    ['revokeAdminToken', { id: 'viewer' }],
    ['removeAlias', { name: 'fast' }],
    ['resetCircuit', { id: 'one' }],
    ['clearCoolDown', { id: 'one' }],
    ['reloadConfiguration', {}],
  ]
  for (const [name, input] of acts) {
    for (const reason of ['', ' \n']) {
      const answered = await act(gateway, name, { ...input, reason })
      expect([name, answered.__typename, answered.problems]).toEqual([
        name,
        'Invalid',
        [{ path: 'input.reason' }],
      ])
    }
  }
  const { data } = await gateway.graph<{ account: { enabled: boolean } }>(
    '{ account(id: "one") { enabled } }',
  )
  expect(data.account.enabled).toBe(true)
})

test('an act that cannot be undone asks for a reason, and every other one takes it', async () => {
  await using gateway = await startAdminGateway({ accounts })
  await act(gateway, 'createKey', { id: 'team' })
  const rotated = await act(gateway, 'rotateKey', { id: 'team' })
  expect(rotated.problems).toEqual([{ path: 'input.reason' }])
  const graceful = await act(gateway, 'rotateKey', { id: 'team', graceSeconds: 60 })
  expect(graceful.__typename).toBe('RotateKeySuccess')
  for (const mutation of [
    'removeAlias(input: {name: "fast"})',
    'revokeAdminToken(input: {id: "viewer"})',
  ]) {
    const { errors } = await gateway.graph(`mutation { ${mutation} { __typename } }`)
    expect(errors[0]?.message).toContain('reason')
  }
  const reason = 'asked for by the team'
  const acts: [name: string, input: object][] = [
    ['enableAccount', { id: 'one' }],
    ['resetCircuit', { id: 'one' }],
    ['clearCoolDown', { id: 'one' }],
    ['createAccount', { id: 'two', provider: 'openai', models: ['n'] }],
    ['updateAccount', { id: 'two', weight: 2 }],
    ['createAdminToken', { id: 'ci', role: 'VIEWER' }],
    ['endSession', { id: 'none' }],
  ]
  for (const [name, input] of acts) await act(gateway, name, { ...input, reason })
  const audit = `{ audit(first: ${acts.length}) { edges { node { reason } } } }`
  const { data } = await gateway.graph<{ audit: Page<object> }>(audit)
  expect(nodesOf(data.audit)).toEqual(acts.map(() => ({ reason })))
})

test('problems name the path of the input that the client wrote', async () => {
  await using gateway = await startAdminGateway({ accounts })
  const rows: [name: string, input: object, path: string][] = [
    ['createKey', { id: 'no id' }, 'input.id'],
    ['createKey', { id: 'new', models: [''] }, 'input.models[0]'],
    ['setAlias', { name: 'a/../b', model: 'm' }, 'input.name'],
    ['setAlias', { name: 'fast', model: 'nothing' }, 'input.model'],
    ['setAlias', { name: 'fast', model: 'fast' }, 'input.model'],
    ['createAccount', { id: 'no id', provider: 'openai', models: ['m'] }, 'input.id'],
    ['createAdminToken', { id: 'no id', role: 'VIEWER' }, 'input.id'],
  ]
  for (const [name, input, path] of rows) {
    const { problems } = await act(gateway, name, input)
    expect([name, problems?.[0]?.path]).toEqual([name, path])
  }
  await act(gateway, 'createKey', { id: 'team' })
  const rotated = await act(gateway, 'rotateKey', { id: 'team', graceSeconds: -1 })
  expect(rotated.problems).toEqual([{ path: 'input.graceSeconds' }])
  const managed = await act(gateway, 'revokeKey', { id: 'test', reason: 'lost' })
  expect(managed.fix).toContain('keys[0]')
})

test('a test says why it is inconclusive, without the address and the credential', async () => {
  await using upstream = await startFakeAccount(
    answerJson({ error: { message: 'canary' } }, { status: 503 }),
  )
  const at = (id: string, baseUrl: string) => ({
    ...accounts[0]!,
    id,
    baseUrl,
    apiKey: 'canary-credential',
  })
  await using gateway = await startAdminGateway({
    accounts: [
      at('refused', 'http://127.0.0.1:9'),
      at('nowhere', 'http://canary.invalid'),
      at('broken', upstream.url),
    ],
  })
  const rows = [
    ['refused', /refuses the connection/],
    ['nowhere', /has no address|name service/],
    ['broken', /status 503/],
  ] as const
  for (const [id, message] of rows) {
    const fields = '... on TestAccountSuccess { outcome message }'
    const tested = await act(gateway, 'testAccount', { id }, fields)
    expect(tested.outcome).toBe('INCONCLUSIVE')
    expect(tested.message).toMatch(message)
    expect(tested.message).not.toContain('canary')
  }
})

test('the creator of a key and of a token has one form', async () => {
  await using gateway = await startAdminGateway()
  await act(gateway, 'createKey', { id: 'team' })
  await act(gateway, 'createAdminToken', { id: 'ci', role: 'VIEWER' })
  const { data } = await gateway.graph<{
    key: { createdBy: string }
    adminTokens: Page<{ id: string; createdBy: string | null }>
  }>(`{ key(id: "team") { createdBy } adminTokens { edges { node { id createdBy } } } }`)
  const token = nodesOf(data.adminTokens).find(({ id }) => id === 'ci')
  expect([data.key.createdBy, token?.createdBy]).toEqual(['token:admin', 'token:admin'])
})

test('the audit record of a forgotten binding has the target of a binding, and no text of any length', async () => {
  await using gateway = await startAdminGateway()
  const kind = 'x'.repeat(5_000)
  await act(gateway, 'forgetBinding', {
    keyId: 'team',
    id: 'resp_1',
    kind: 'response',
    reason: 'r',
  })
  await act(gateway, 'forgetBinding', { keyId: 'team', id: 'resp_1', kind, reason: 'r' })
  const audit = '{ audit { edges { node { target { type id } } } } }'
  const { data } = await gateway.graph<{ audit: Page<{ target: { type: string; id: string } }> }>(
    audit,
  )
  const [long, plain] = nodesOf(data.audit).map(({ target }) => target)
  expect(plain).toEqual({ type: 'binding', id: 'team response resp_1' })
  expect(long?.type).toBe('binding')
  expect(long?.id).toHaveLength(500)
})
