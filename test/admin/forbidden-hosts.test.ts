import { expect, test } from 'vitest'
import { z } from 'zod'

import { chatDialect } from '../../plugins/dialects/chat/index.ts'
import { checkConfiguration } from '../../src/configuration/resolve.ts'
import { defineAccountDialect, definePlugin } from '../../src/dialect-kit/index.ts'
import { compileForbiddenHosts } from '../../src/lib/forbidden-hosts.ts'
import { accountRecords } from '../../src/stores/stored-accounts.ts'
import { answerJson, startFakeAccount } from '../../src/testing/fake-account.ts'
import { form } from '../walks/streams/forms.ts'
import { startAdminGateway } from './admin-gateway.ts'
import { accountOf, act } from './stored-accounts.ts'

const completion = answerJson({ object: 'chat.completion', choices: [] })
const input = { id: 'a', provider: 'openai', models: ['m'] }

async function call({ url, key }: { url: string; key: string }): Promise<number> {
  const reply = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }] }),
  })
  await reply.arrayBuffer()
  return reply.status
}

test('an administrator makes no account of a metadata address, however it is spelled', async () => {
  await using gateway = await startAdminGateway()
  const hosts = [
    '169.254.169.254',
    '2852039166',
    '0xa9.0xfe.0xa9.0xfe',
    '[::ffff:169.254.169.254]',
    '[64:ff9b::169.254.169.254]',
    '[fd00:ec2::254]',
    '[FD00:0EC2:0::0254]',
    '100.100.100.200',
    'metadata.google.internal',
    'METADATA.google.internal.',
  ]
  for (const host of hosts) {
    const { problems } = await act(gateway, 'createAccount', {
      ...input,
      baseUrl: `http://${host}/v1`,
    })
    expect(
      problems?.map(({ path }) => path),
      host,
    ).toEqual(['input.baseUrl'])
  }
  const fine = { ...input, baseUrl: 'http://10.1.2.3/v1' }
  expect((await act(gateway, 'createAccount', fine)).__typename).toBe('CreateAccountSuccess')
  const moved = { id: 'a', baseUrl: 'http://169.254.169.254/v1' }
  expect((await act(gateway, 'updateAccount', moved)).problems).toHaveLength(1)
  // A record that was changed in the store itself.
  const { store, storedAccounts } = gateway.running
  const record = (await accountRecords(store).get('a'))!
  await accountRecords(store).set('a', {
    ...record,
    account: { ...record.account, baseUrl: moved.baseUrl },
  })
  await storedAccounts.catchUp()
  const { problems } = await accountOf(gateway, 'a')
  expect(problems.map(({ path }) => path)).toEqual(['accounts.a.baseUrl'])
})

/** A provider whose address is made of an option. */
const cloud = definePlugin({
  name: 'cloud',
  dialects: [
    defineAccountDialect({
      id: 'cloud',
      upstream: {
        base: 'versioned',
        providers: {
          cloud: {
            options: z.strictObject({ host: z.string() }),
            baseUrl: ({ host }) => `http://${String(host)}/v1`,
          },
        },
        headers: () => ({}),
      },
      generate: { codec: chatDialect.generate!.codec },
    }),
  ],
})

test('options of an account do not lead to a forbidden address, also after a reload', async () => {
  await using upstream = await startFakeAccount(answerJson(form.chat.reply))
  await using gateway = await startAdminGateway({ plugins: [cloud] })
  const { host } = new URL(upstream.url)
  const ofCloud = { id: 'a', provider: 'cloud', models: ['m'] }
  for (const options of [{ host: '169.254.169.254' }, { host: '2852039166' }]) {
    const { problems } = await act(gateway, 'createAccount', { ...ofCloud, options })
    expect(problems?.map(({ path }) => path)).toEqual(['input.options'])
  }
  const made = await act(gateway, 'createAccount', { ...ofCloud, options: { host } })
  expect(made.__typename).toBe('CreateAccountSuccess')
  expect(await call(gateway)).toBe(200)
  const { settings } = checkConfiguration(
    { admin: { accounts: { forbid: ['127.0.0.0/8'] } } },
    { env: {} },
  )
  gateway.running.configure({ ...settings, keys: [...gateway.services.settings().keys] })
  expect(await call(gateway)).toBe(404)
  const { problems } = await accountOf(gateway, 'a')
  expect(problems.map(({ path }) => path)).toEqual(['accounts.a.options'])
  expect(upstream.requests).toHaveLength(1)
})

test('a name that resolves to a forbidden address gets no connection, also after a reload', async () => {
  await using upstream = await startFakeAccount(completion)
  const accounts = { forbid: ['127.0.0.0/8', '::1'] }
  await using gateway = await startAdminGateway({ admin: { accounts } })
  const { port } = new URL(upstream.url)
  const baseUrl = `http://localhost:${port}/v1`
  expect((await act(gateway, 'createAccount', { ...input, baseUrl })).__typename).toBe(
    'CreateAccountSuccess',
  )
  expect(await call(gateway)).toBeGreaterThanOrEqual(500)
  expect(upstream.requests).toEqual([])

  const configure = (admin: object) => {
    const { settings } = checkConfiguration({ admin }, { env: {} })
    gateway.running.configure({ ...settings, keys: [...gateway.services.settings().keys] })
  }
  configure({ accounts: { forbid: [] } })
  expect(await call(gateway)).toBe(200)
  configure({ accounts })
  expect(await call(gateway)).toBeGreaterThanOrEqual(500)
  expect(upstream.requests).toHaveLength(1)
})

test('an account of the file may have an internal address, which its operator has chosen', async () => {
  await using upstream = await startFakeAccount(completion)
  await using gateway = await startAdminGateway({
    admin: { accounts: { forbid: ['127.0.0.0/8'] } },
    accounts: [{ ...input, baseUrl: `${upstream.url}/v1` }],
  })
  expect(await call(gateway)).toBe(200)
})

test('networks and names of the setting are checked, and a network has all its addresses', () => {
  const wrong = ['169.254.0.0/33', '10.0.0', 'a b', 'http://host', 'fe80::/129', '']
  const { problems } = checkConfiguration({ admin: { accounts: { forbid: wrong } } }, { env: {} })
  expect(problems).toHaveLength(wrong.length)
  const { has } = compileForbiddenHosts(['169.254.0.0/16', 'fe80::/10', 'intern'])
  const hosts = [
    '169.254.1.1',
    '[fe80::1]',
    'fe80::1%eth0',
    'Intern.',
    'intern.example',
    '10.0.0.1',
  ]
  expect(hosts.filter((host) => has(host))).toEqual(hosts.slice(0, 4))
})
