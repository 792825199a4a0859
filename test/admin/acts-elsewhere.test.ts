import { expect, test, vi } from 'vitest'

import { startSandbox } from '../../src/sandbox/index.ts'
import { openMemoryStore } from '../../src/stores/memory.ts'
import {
  type AdminGateway,
  type AdminGatewayOptions,
  type Page,
  nodesOf,
  startAdminGateway,
} from './admin-gateway.ts'
import { temporaryDirectory } from '../stores/temporary.ts'
import { explain } from './explaining.ts'
import { accountOf, act } from './stored-accounts.ts'

vi.setConfig({ testTimeout: 60_000 })

/** Two replicas on one store, of which each reads the changes of the other once a second. */
async function startReplicas(more: AdminGatewayOptions = {}) {
  await using opening = new AsyncDisposableStack()
  const sandbox = opening.use(await startSandbox())
  const place = { provider: 'sandbox', baseUrl: sandbox.url, models: ['sandbox/*'] }
  const options = {
    store: openMemoryStore(),
    accounts: [{ ...place, id: 'of-file', apiKey: 'sandbox-key-a' }],
    ...more,
    env: { DRAGOMAN_SECRET_KEY: Buffer.alloc(32, 7).toString('base64') },
  }
  const one = opening.use(await startAdminGateway(options))
  const other = opening.use(await startAdminGateway(options))
  const opened = opening.move()
  const account = { ...place, credential: 'sandbox-key-b' }
  return { one, other, account, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

async function createKey(gateway: AdminGateway, id: string): Promise<void> {
  const query = 'mutation ($input: CreateKeyInput!) { createKey(input: $input) { __typename } }'
  const { data } = await gateway.graph(query, { input: { id } })
  expect(data).toEqual({ createKey: { __typename: 'CreateKeySuccess' } })
}

/** What the audit log says of the acts of a kind, the newest first. */
async function changesOf(gateway: AdminGateway, action: string) {
  const { data } = await gateway.graph<{ audit: Page<{ before: unknown; after: unknown }> }>(
    `query ($action: String) { audit(filter: {action: $action}) { edges { node { before after } } } }`,
    { action },
  )
  return nodesOf(data.audit)
}

test.each([
  ['disableAccount', { reason: 'broken' }],
  ['enableAccount', {}],
  ['resetCircuit', {}],
  ['clearCoolDown', {}],
  ['testAccount', {}],
] as const)('%s finds an account that another process has just created', async (name, input) => {
  await using replicas = await startReplicas()
  const { one, other, account } = replicas
  // Another account each time: a process that happens to read the store meanwhile knows only those before.
  for (const id of ['first', 'second', 'third']) {
    await act(one, 'createAccount', { ...account, id })
    const { __typename: type } = await act(other, name, { id, ...input })
    expect(type).toBe(`${name[0]!.toUpperCase()}${name.slice(1)}Success`)
  }
})

test('a test goes to the address that another process has just saved', async () => {
  await using replicas = await startReplicas()
  const { one, other, account } = replicas
  await act(one, 'createAccount', { ...account, id: 'moved', baseUrl: 'http://127.0.0.1:9' })
  expect(await act(other, 'testAccount', { id: 'moved' })).toMatchObject({
    outcome: 'INCONCLUSIVE',
  })
  const { baseUrl, credential } = account
  await act(one, 'updateAccount', { id: 'moved', baseUrl, credential })
  expect(await act(other, 'testAccount', { id: 'moved' })).toMatchObject({ outcome: 'ACCEPTED' })
})

test('the record of an act has the state before it, whichever process has caused that', async () => {
  await using replicas = await startReplicas()
  const { one, other } = replicas
  const off = { enabled: false }
  for (let times = 0; times < 3; times++) {
    await act(one, 'disableAccount', { id: 'of-file', reason: 'drill' })
    const { account } = await act(other, 'enableAccount', { id: 'of-file' })
    expect(account?.state).toBe('ENABLED')
  }
  const enabled = { before: off, after: { enabled: true } }
  expect(await changesOf(one, 'account.enable')).toEqual([enabled, enabled, enabled])
  const disabled = { before: { enabled: true }, after: { ...off, drain: true } }
  expect(await changesOf(one, 'account.disable')).toEqual([disabled, disabled, disabled])
  expect((await accountOf(other, 'of-file')).state).toBe('ENABLED')
})

test('an alias leads to a model of an account that another process has just created', async () => {
  await using replicas = await startReplicas()
  const { one, other, account } = replicas
  for (const id of ['first', 'second', 'third']) {
    await act(one, 'createAccount', { ...account, id, models: [`new/${id}`] })
    const { data } = await other.graph<{ setAlias: { __typename: string } }>(
      'mutation ($input: SetAliasInput!) { setAlias(input: $input) { __typename } }',
      { input: { name: `short-${id}`, model: `new/${id}` } },
    )
    expect(data.setAlias.__typename).toBe('SetAliasSuccess')
  }
})

test('a dry run knows a key that another process has just created', async () => {
  await using replicas = await startReplicas()
  const { one, other } = replicas
  for (const keyId of ['first', 'second', 'third']) {
    await createKey(one, keyId)
    const explained = await explain(other, { keyId, dialect: 'chat', model: 'sandbox/echo' })
    expect(explained.chosen?.accountId).toBe('of-file')
  }
})

test('a capture knows a key that another process has just created', async () => {
  await using directory = await temporaryDirectory()
  await using replicas = await startReplicas({ capture: { directory: directory.path } })
  const { one, other } = replicas
  for (const keyId of ['first', 'second', 'third']) {
    await createKey(one, keyId)
    const { data } = await other.graph<{ startCapture: { __typename: string } }>(
      'mutation ($input: StartCaptureInput!) { startCapture(input: $input) { __typename } }',
      { input: { keyId, reason: 'to debug' } },
    )
    expect(data.startCapture.__typename).toBe('StartCaptureSuccess')
  }
})
