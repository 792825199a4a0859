import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { createCredentialPlaces } from '../../src/configuration/credential-places.ts'
import { checkConfiguration } from '../../src/configuration/resolve.ts'
import { accountRecords } from '../../src/stores/stored-accounts.ts'
import { answerJson, startFakeAccount } from '../../src/testing/fake-account.ts'
import { temporaryDirectory } from '../stores/temporary.ts'
import { startAdminGateway } from './admin-gateway.ts'
import { accountOf, accountsOf, act } from './stored-accounts.ts'

const canary = 'canary-of-another-purpose-0123456789'

/** An account that no setting names. */
const elsewhere = { provider: 'openai-compatible', baseUrl: 'https://collector.example/v1' }

/** Which places a configuration permits to an account. */
function permitted(
  config: object,
  references: readonly string[],
  env: Readonly<Record<string, string>> = {},
  account: { provider: string; baseUrl?: string } = elsewhere,
): string[] {
  const { settings } = checkConfiguration(config, { env })
  const { credentialPlaces, store } = settings
  const places = createCredentialPlaces(credentialPlaces, { store, cwd: '/' })
  return references.filter((reference) => places.permits(reference, account))
}

test('without a setting, only variables for this purpose can be sent to an address', () => {
  const references = [
    'env:DRAGOMAN_ACCOUNT_OPENAI',
    'env:DRAGOMAN_ACCOUNT',
    'env:OPENAI_API_KEY',
    'env:AWS_SECRET_ACCESS_KEY',
    'env:DATABASE_URL',
    'env:DRAGOMAN_API_KEY',
    'env:dragoman_API_KEY',
    'env:DRAGOMAN_ACCOUNT_A\n',
    'file:/run/secrets/openai',
    'file:/run/secrets/kubernetes.io/token',
    'file:/run/secrets/../../etc/hostname',
    'file:/run/secrets/./openai',
    'file:/run/secrets',
    'file:/etc/hostname',
    'file:openai',
  ]
  expect(permitted({}, references)).toEqual(['env:DRAGOMAN_ACCOUNT_OPENAI'])
  // A pattern of several levels leads to no place outside of them.
  const config = { admin: { credentials: ['file:/run/secrets/*/*'] } }
  const files = ['team/openai', '../hostname', 'team/..', './openai'].map(
    (path) => `file:/run/secrets/${path}`,
  )
  expect(permitted(config, files)).toEqual(['file:/run/secrets/team/openai'])
})

test('a wide setting permits no secret that other settings name, and none of the gateway', () => {
  const config = {
    store: 'env:STORE_URL',
    admin: {
      credentials: ['env:*', 'file:/run/secrets/*'],
      tokens: [{ id: 'ops', secret: 'env:OPS_TOKEN', role: 'viewer' }],
      oidc: {
        issuer: 'https://login.example.com',
        clientId: 'c',
        clientSecret: 'file:/run/secrets/oidc',
        roles: { staff: 'viewer' },
      },
    },
    keys: [{ id: 'k', secret: 'env:TEAM_KEY' }],
    uploads: { secret: 'env:UPLOADS', storages: { s: { secretAccessKey: 'env:BUCKET' } } },
    accounts: [{ id: 'a', provider: 'openai', apiKey: 'env:SHARED', models: ['m'] }],
  }
  const names = 'STORE_URL OPS_TOKEN TEAM_KEY UPLOADS BUCKET DRAGOMAN_X SHARED OTHER'.split(' ')
  const references = names.map((name) => `env:${name}`)
  const files = ['oidc', 'sealing', 'other'].map((name) => `file:/run/secrets/${name}`)
  const env = { DRAGOMAN_SECRET_KEY: 'file:/run/secrets/sealing' }
  expect(permitted(config, [...references, ...files], env)).toEqual([
    'env:OTHER',
    'file:/run/secrets/other',
  ])
})

test('what an account, a plugin or any setting names goes to no other address', async () => {
  await using directory = await temporaryDirectory()
  for (const name of ['key', 'signer']) await writeFile(join(directory.path, name), canary)
  await symlink(join(directory.path, 'key'), join(directory.path, 'link'))
  const at = (name: string) => `file:${directory.path}/${name}`
  const options = { rules: [{ nested: { token: 'env:PLUGIN' } }], key: at('signer') }
  const ownUrl = 'https://llm.example.com/v1'
  const config = {
    admin: { credentials: ['env:*', at('*')] },
    telemetry: { traces: { headers: { authorization: 'env:COLLECTOR' } } },
    plugins: [{ use: 'some-plugin', options }],
    accounts: [
      { id: 'a', provider: 'openai', apiKey: 'env:OPENAI_KEY', models: ['m'] },
      { id: 'b', provider: 'openai', apiKey: 'env:OWN', baseUrl: ownUrl, models: ['m'] },
      { id: 'c', provider: 'openai', apiKey: at('key'), baseUrl: ownUrl, models: ['m'] },
      { id: 'd', provider: 'openai', apiKey: 'env:BOTH', baseUrl: ownUrl, models: ['m'] },
      { id: 'damaged', apiKey: 'env:DAMAGED' },
    ],
    keys: [{ id: 'k', secret: 'env:BOTH' }],
  }
  const names = 'PLUGIN COLLECTOR OPENAI_KEY OWN BOTH DAMAGED OTHER'.split(' ')
  const all = [...names.map((name) => `env:${name}`), ...['key', 'link', 'signer'].map(at)]
  const of = (account?: typeof elsewhere | { provider: string }) =>
    permitted(config, all, {}, account)
  expect(of()).toEqual(['env:OTHER'])
  expect(of({ provider: 'openai' })).toEqual(['env:OPENAI_KEY', 'env:OTHER'])
  expect(of({ provider: 'openai', baseUrl: `${ownUrl}/` })).toEqual([
    'env:OWN',
    'env:OTHER',
    at('key'),
    at('link'),
  ])
  for (const baseUrl of ['http://llm.example.com/v1', 'https://llm.example.com/v1/tenant']) {
    expect(of({ provider: 'openai', baseUrl })).toEqual(['env:OTHER'])
  }
})

test('an administrator cannot export the key of an account of the file to an address of their own', async () => {
  const reply = answerJson({ object: 'chat.completion', choices: [] })
  await using upstream = await startFakeAccount(reply)
  await using collector = await startFakeAccount(reply)
  const env = { TEAM_KEY: canary, DRAGOMAN_ACCOUNT_SPARE: 'sk-spare' }
  const file = { id: 'file', provider: 'openai', apiKey: 'env:TEAM_KEY', models: ['file'] }
  const config = {
    admin: { credentials: ['env:*'] },
    accounts: [{ ...file, baseUrl: `${upstream.url}/v1` }],
  }
  await using gateway = await startAdminGateway({ env, ...config })
  const { settings } = checkConfiguration(config, { env })
  gateway.running.configure({ ...settings, keys: [...gateway.services.settings().keys] })
  const stolen = {
    id: 'a',
    provider: 'openai',
    baseUrl: `${collector.url}/v1`,
    models: ['m'],
    credential: 'env:TEAM_KEY',
  }
  const refused = await act(gateway, 'createAccount', stolen)
  expect(refused.problems?.map(({ message }) => message)).toEqual([
    'names a place that is not for credentials of this address',
  ])
  const same = { ...stolen, baseUrl: `${upstream.url}/v1` }
  expect((await act(gateway, 'createAccount', same)).__typename).toBe('CreateAccountSuccess')
  for (const credential of ['env:TEAM_KEY', undefined]) {
    const moved = await act(gateway, 'updateAccount', {
      id: 'a',
      baseUrl: stolen.baseUrl,
      ...(credential && { credential }),
    })
    expect(moved.__typename).not.toBe('UpdateAccountSuccess')
  }
  // A record that was changed in the store itself.
  const { store, storedAccounts } = gateway.running
  const record = (await accountRecords(store).get('a'))!
  await accountRecords(store).set('a', {
    ...record,
    account: { ...record.account, baseUrl: stolen.baseUrl },
  })
  await storedAccounts.catchUp()
  expect((await accountOf(gateway, 'a')).problems[0]?.message).toContain('not for credentials')
  expect(collector.requests).toEqual([])
})

test('no secret that an account of the file has beside its API key is sent to another address', () => {
  const config = {
    admin: { credentials: ['env:*', 'file:/run/secrets/*'] },
    accounts: [
      {
        id: 'a',
        provider: 'openai',
        models: ['m'],
        apiKey: 'env:SHARED_API_KEY',
        headers: { 'x-gateway': 'env:GATEWAY_API_KEY' },
        proxy: 'file:/run/secrets/proxy',
        ca: 'file:/run/secrets/ca',
        clientCertificate: {
          cert: 'file:/run/secrets/cert',
          key: 'file:/run/secrets/key',
          passphrase: 'env:PASSPHRASE',
        },
      },
    ],
  }
  const files = ['proxy', 'ca', 'cert', 'key', 'other'].map((name) => `file:/run/secrets/${name}`)
  const names = ['SHARED_API_KEY', 'GATEWAY_API_KEY', 'PASSPHRASE'].map((name) => `env:${name}`)
  const provider = { provider: 'openai' }
  expect(permitted(config, [...names, ...files], {}, provider)).toEqual([
    'env:SHARED_API_KEY',
    'file:/run/secrets/other',
  ])
})

test('no file of the store is sent anywhere, by no other name either', async () => {
  await using directory = await temporaryDirectory()
  const store = join(directory.path, 'store')
  await mkdir(store)
  await writeFile(join(store, 'secret.key'), canary)
  await symlink(join(store, 'secret.key'), join(directory.path, 'link'))
  await symlink(store, join(directory.path, 'also'))
  await writeFile(join(directory.path, 'fine'), canary)
  const base = `file:${directory.path}`
  const all = ['store/secret.key', 'link', 'also/secret.key', 'also/none', 'store', 'fine', 'none']
  const config = { store: `file:${store}`, admin: { credentials: [`${base}/*`, `${base}/*/*`] } }
  expect(
    permitted(
      config,
      all.map((name) => `${base}/${name}`),
    ),
  ).toEqual([`${base}/fine`, `${base}/none`])
})

test('an answer says neither which files exist nor which variables are set', async () => {
  await using directory = await temporaryDirectory()
  await writeFile(join(directory.path, 'two-lines'), 'a\nb')
  const env = { CANARY_API_KEY: canary }
  const credentials = [`file:${directory.path}/*`, 'env:*_API_KEY']
  await using gateway = await startAdminGateway({ env, admin: { credentials } })
  const messageFor = async (credential: string) => {
    const input = { id: 'a', provider: 'openai', models: ['m'], credential }
    const { problems } = await act(gateway, 'createAccount', input)
    expect(problems?.map(({ path }) => path)).toEqual(['input.credential'])
    return problems?.map(({ message, fix }) => `${message}: ${fix}`).join()
  }
  const names = ['two-lines', 'none'].map((name) => `file:${directory.path}/${name}`)
  const there = await Promise.all([...names, 'env:CANARX_API_KEY'].map(messageFor))
  expect(new Set(there).size).toBe(1)
  expect(there.join()).not.toMatch(/CANARY/i)
  const elsewhere = await Promise.all(['file:/etc/passwd', 'file:/etc/none'].map(messageFor))
  expect(new Set(elsewhere).size).toBe(1)
})

test('a reload takes back a place from the accounts of the store', async () => {
  await using gateway = await startAdminGateway({ env: { DRAGOMAN_ACCOUNT_CANARY: canary } })
  const credential = 'env:DRAGOMAN_ACCOUNT_CANARY'
  const input = { id: 'a', provider: 'openai', models: ['m'], credential }
  expect((await act(gateway, 'createAccount', input)).__typename).toBe('CreateAccountSuccess')
  const { settings } = checkConfiguration({ admin: { credentials: [] } }, { env: {} })
  gateway.running.configure(settings)
  const [shown] = await accountsOf(gateway)
  expect(shown?.problems.map(({ message }) => message)).toEqual([
    'names a place that is not for credentials of this address',
  ])
  expect(shown?.state).toBe('INVALID')
})

test('no call has a credential of a place that a reload has taken back', async () => {
  await using upstream = await startFakeAccount(
    answerJson({ object: 'chat.completion', choices: [] }),
  )
  await using gateway = await startAdminGateway({ env: { DRAGOMAN_ACCOUNT_CANARY: canary } })
  const base = {
    provider: 'openai',
    baseUrl: `${upstream.url}/v1`,
    credential: 'env:DRAGOMAN_ACCOUNT_CANARY',
  }
  for (const id of ['changed', 'unchanged']) {
    const input = { ...base, id, models: [id] }
    expect((await act(gateway, 'createAccount', input)).__typename).toBe('CreateAccountSuccess')
  }
  const call = async (model: string) => {
    const reply = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hi' }] }),
    })
    await reply.arrayBuffer()
    return reply.status
  }
  // An account whose record is damaged stays as it was.
  const { store, storedAccounts } = gateway.running
  const record = (await accountRecords(store).get('changed'))!
  await accountRecords(store).set('changed', {
    ...record,
    account: { ...record.account, weight: -1 },
  })
  await storedAccounts.catchUp()
  expect((await accountOf(gateway, 'changed')).problems).toHaveLength(1)
  expect([await call('changed'), await call('unchanged')]).toEqual([200, 200])
  expect(upstream.requests.map(({ headers }) => headers.authorization)).toEqual([
    `Bearer ${canary}`,
    `Bearer ${canary}`,
  ])

  const { settings } = checkConfiguration({ admin: { credentials: [] } }, { env: {} })
  gateway.running.configure({ ...settings, keys: [...gateway.services.settings().keys] })
  expect([await call('changed'), await call('unchanged')]).toEqual([404, 404])
  expect(upstream.requests).toHaveLength(2)
})
