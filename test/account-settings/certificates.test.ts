import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { createTestGateway } from '../../src/testing/gateway.ts'
import { ask } from '../walks/streams/asking.ts'
import { form } from '../walks/streams/forms.ts'
import { accountFor } from '../walks/streams/scripted.ts'
import { type Authority, type Pair, createAuthority } from './certificates.ts'
import { startProxy, startSecureAccount } from './servers.ts'

let authority: Authority
let identity: Pair

beforeAll(async () => {
  authority = await createAuthority()
  identity = await authority.issue('account')
})

afterAll(() => authority[Symbol.asyncDispose]())

test('an account with a certificate of another authority is served by its ca alone', async () => {
  await using account = await startSecureAccount(identity)
  await using gateway = await createTestGateway({
    accounts: [
      accountFor(form.chat, 'known', account.url, { models: ['known'], ca: authority.ca }),
      accountFor(form.chat, 'unknown', account.url, { models: ['unknown'] }),
    ],
  })
  const call = async (model: string) => ask(gateway, form.chat, { model, stream: false })

  expect((await call('known')).status).toBe(200)
  const refused = await call('unknown')
  expect(refused.status).toBe(502)
  // The key has not left the gateway.
  expect(account.requests.map(({ authorization }) => authorization)).toEqual([
    'Bearer key-of-known',
  ])
})

test('an account learns who calls by the certificate of the gateway, through a proxy too', async () => {
  const client = await authority.issue('the gateway')
  const required = { ...identity, ca: authority.ca, requestCert: true, rejectUnauthorized: true }
  await using account = await startSecureAccount(required)
  await using proxy = await startProxy()
  const secured = { ca: authority.ca, clientCertificate: client }
  await using gateway = await createTestGateway({
    accounts: [
      accountFor(form.chat, 'direct', account.url, { ...secured, models: ['direct'] }),
      accountFor(form.chat, 'far', `https://model.test:${account.port}`, {
        ...secured,
        models: ['far'],
        proxy: `http://${proxy.host}`,
      }),
      accountFor(form.chat, 'nameless', account.url, { ca: authority.ca, models: ['nameless'] }),
    ],
  })
  const call = async (model: string) =>
    (await ask(gateway, form.chat, { model, stream: false })).status

  expect([await call('direct'), await call('far'), await call('nameless')]).toEqual([200, 200, 502])
  expect(account.requests.map(({ client }) => client)).toEqual(['the gateway', 'the gateway'])
})

test('a reload reads rotated files', async () => {
  await using account = await startSecureAccount({
    ...identity,
    ca: authority.ca,
    requestCert: true,
  })
  const at = (name: string) => join(authority.directory, name)
  const rotate = async (name: string) => {
    const { cert, key } = await authority.issue(name)
    await Promise.all([writeFile(at('client.pem'), cert), writeFile(at('client.key'), key)])
  }
  await rotate('first')
  await writeFile(at('authority.pem'), authority.ca)
  const accounts = [
    accountFor(form.chat, 'only', account.url, {
      ca: `file:${at('authority.pem')}`,
      clientCertificate: { cert: `file:${at('client.pem')}`, key: `file:${at('client.key')}` },
    }),
  ]
  await using gateway = await createTestGateway({ accounts })
  const call = async () => (await ask(gateway, form.chat, { stream: false })).status

  expect(await call()).toBe(200)
  await rotate('second')
  expect(await call()).toBe(200)
  gateway.reload({ accounts })
  expect(await call()).toBe(200)

  expect(account.requests.map(({ client }) => client)).toEqual(['first', 'first', 'second'])
})
