import { expect, test } from 'vitest'

import { answerJson, startFakeAccount } from '../../src/testing/fake-account.ts'
import { createTestGateway } from '../../src/testing/gateway.ts'
import { form } from '../walks/streams/forms.ts'
import { accountFor } from '../walks/streams/scripted.ts'
import { createAuthority } from './certificates.ts'

const secret = 'canary-secret-0123456789'

const query = `query ($id: ID!) { account(id: $id) { transport {
  headers timeouts maxConcurrent proxy authorities { subject } clientCertificate { subject expiresAt }
} } }`

test('operators see how requests are sent to an account, and no secret', async () => {
  await using authority = await createAuthority()
  const client = await authority.issue('the gateway')
  const settings = {
    headers: { 'X-Tenant': secret },
    timeouts: { firstByteMs: 5_000 },
    maxConcurrent: 7,
    proxy: 'env:PROXY',
    ca: authority.ca,
    clientCertificate: client,
  }
  await using gateway = await createTestGateway({
    admin: true,
    env: { PROXY: `http://user:${secret}@proxy.example.com:3128` },
    accounts: [
      accountFor(form.chat, 'full', 'https://model.test', settings),
      accountFor(form.chat, 'direct', 'https://model.test', { proxy: false }),
      accountFor(form.chat, 'plain', 'https://model.test'),
    ],
  })
  const shown = async (id: string) =>
    gateway.admin!.ask(query, { variables: { id }, role: 'viewer' })

  const full = await shown('full')
  expect(full).toMatchObject({
    data: {
      account: {
        transport: {
          headers: ['x-tenant'],
          timeouts: { firstByteMs: 5_000 },
          maxConcurrent: 7,
          proxy: 'proxy.example.com:3128',
          authorities: [{ subject: 'test authority' }],
          clientCertificate: { subject: 'the gateway', expiresAt: expect.stringMatching(/^20/) },
        },
      },
    },
  })
  expect(JSON.stringify(full)).not.toMatch(/canary|BEGIN/)
  expect(await shown('direct')).toMatchObject({
    data: { account: { transport: { proxy: 'none', headers: [], clientCertificate: null } } },
  })
  expect(await shown('plain')).toMatchObject({
    data: { account: { transport: { proxy: null, timeouts: {}, maxConcurrent: null } } },
  })
})

test('an account of the store has deadlines and a limit of its own', async () => {
  await using upstream = await startFakeAccount(answerJson({ data: [] }))
  await using gateway = await createTestGateway({ admin: true })
  const change = (act: 'create' | 'update', input: object) => {
    const name = `${act[0]!.toUpperCase()}${act.slice(1)}Account`
    return gateway.admin!.ask(
      `mutation ($input: ${name}Input!) { ${act}Account(input: $input) { __typename
        ... on Invalid { problems { path message } }
        ... on ${name}Success { account { transport { timeouts maxConcurrent } } } } }`,
      { variables: { input: { id: 'stored', ...input } } },
    )
  }
  const fields = {
    provider: 'openai-compatible',
    baseUrl: upstream.url,
    models: ['m'],
    timeouts: { idleMs: 5_000 },
    maxConcurrent: 3,
  }

  expect(await change('create', { ...fields, timeouts: { drainMs: 5 } })).toMatchObject({
    data: { createAccount: { problems: [{ path: 'input.timeouts.drainMs' }] } },
  })
  expect(await change('create', fields)).toMatchObject({
    data: {
      createAccount: { account: { transport: { timeouts: { idleMs: 5_000 }, maxConcurrent: 3 } } },
    },
  })
  expect(await change('update', { maxConcurrent: null })).toMatchObject({
    data: {
      updateAccount: {
        account: { transport: { timeouts: { idleMs: 5_000 }, maxConcurrent: null } },
      },
    },
  })
})
