import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { answerJson, startFakeAccount } from '../../src/testing/fake-account.ts'
import { createTestGateway } from '../../src/testing/gateway.ts'
import { ask, receive } from '../walks/streams/asking.ts'
import { asDelivered, form, wholeStream } from '../walks/streams/forms.ts'
import { accountFor } from '../walks/streams/scripted.ts'
import { type Authority, type Pair, createAuthority } from './certificates.ts'
import { type SecureAccount, chatting, startProxy, startSecureAccount } from './servers.ts'

let authority: Authority
let identity: Pair
let account: SecureAccount

beforeAll(async () => {
  authority = await createAuthority()
  identity = await authority.issue('account')
  account = await startSecureAccount(identity)
})

afterAll(async () => {
  await account[Symbol.asyncDispose]()
  await authority[Symbol.asyncDispose]()
})

const password = 'canary-password-0123456789'
const basic = `Basic ${Buffer.from(`user:${password}`).toString('base64')}`

/** An account that only the proxy of a test can find. */
const far = (settings: object) =>
  accountFor(form.chat, 'far', `https://model.test:${account.port}`, {
    ca: authority.ca,
    ...settings,
  })

test('a proxy carries calls to an account, and reads none of them', async () => {
  await using proxy = await startProxy()
  await using gateway = await createTestGateway({
    accounts: [far({ proxy: `http://${proxy.host}`, apiKey: 'key-0123456789' })],
  })

  const { text } = await receive(await ask(gateway, form.chat))
  const json = await ask(gateway, form.chat, { stream: false })

  expect(text).toBe(asDelivered(form.chat, wholeStream(form.chat)))
  expect(json.status).toBe(200)
  expect(account.requests.at(-1)?.authorization).toBe('Bearer key-0123456789')
  // Both calls share one connection.
  expect(proxy.asked).toEqual([{ target: `model.test:${account.port}`, authorization: undefined }])
  expect(proxy.carried()).not.toContain('key-0123456789')
})

test('a proxy gets credentials from a variable, and speaks TLS where its URL says so', async () => {
  await using proxy = await startProxy({ tls: identity, authorization: basic })
  await using gateway = await createTestGateway({
    accounts: [far({ proxy: 'env:PROXY' })],
    env: { PROXY: `https://user:${password}@localhost:${proxy.port}` },
  })

  const response = await ask(gateway, form.chat, { stream: false })

  expect(response.status).toBe(200)
  expect(proxy.asked.map(({ authorization }) => authorization)).toEqual([basic])
})

test('an account without TLS is reached through a tunnel, too', async () => {
  await using plain = await startFakeAccount(chatting)
  await using proxy = await startProxy()
  await using gateway = await createTestGateway({
    accounts: [accountFor(form.chat, 'only', plain.url, { proxy: `http://${proxy.host}` })],
  })

  expect((await ask(gateway, form.chat, { stream: false })).status).toBe(200)
  expect(proxy.asked).toHaveLength(1)
  expect(plain.requests).toHaveLength(1)
})

test('the test of an account goes the same way as its calls', async () => {
  await using proxy = await startProxy()
  await using gateway = await createTestGateway({
    admin: true,
    accounts: [far({ proxy: `http://${proxy.host}` })],
  })

  const tested = await gateway.admin!.ask(testAccount, { variables: { input: { id: 'far' } } })

  expect(tested.data).toMatchObject({ testAccount: { outcome: 'ACCEPTED' } })
  expect(proxy.asked).toHaveLength(1)
})

const testAccount = `mutation ($input: TestAccountInput!) {
  testAccount(input: $input) { ... on TestAccountSuccess { outcome message } }
}`

describe('a proxy that', () => {
  test.each([
    ['refuses the credentials', { authorization: 'Basic other' }, 'status 407: its credentials'],
    ['does not connect', { status: 403 }, 'status 403: it does not connect'],
    ['does not answer', { isDeaf: true }, 'does not answer in time'],
  ])('%s is an account out of reach, and its message names the host', async (_, how, message) => {
    await using proxy = await startProxy(how)
    await using spare = await startFakeAccount(chatting)
    await using gateway = await createTestGateway({
      admin: true,
      accounts: [
        far({ proxy: 'env:PROXY', timeouts: { connectMs: 300 } }),
        accountFor(form.chat, 'spare', spare.url, { priority: 1 }),
      ],
      env: { PROXY: `http://user:${password}@${proxy.host}` },
    })

    const response = await ask(gateway, form.chat, { stream: false })
    const tested = await gateway.admin!.ask(testAccount, { variables: { input: { id: 'far' } } })

    expect(response.status).toBe(200)
    expect(spare.requests).toHaveLength(1)
    const [warning] = gateway.attemptWarnings
    expect(warning).toMatchObject({ account: 'far', reason: expect.stringContaining(message) })
    expect(warning).toMatchObject({ reason: expect.stringContaining(proxy.host) })
    expect(JSON.stringify(tested)).toContain(message)
    // No refusal of the account follows, which would take it out for all calls.
    expect(JSON.stringify(tested)).toContain('INCONCLUSIVE')
    const shown = [tested, gateway.log, gateway.attemptWarnings, await gateway.logged(1)]
    expect(JSON.stringify(shown)).not.toContain(password)
  })

  test('is away is an account out of reach, and clients learn nothing of the proxy', async () => {
    const gone = await startProxy()
    await gone[Symbol.asyncDispose]()
    await using gateway = await createTestGateway({
      accounts: [far({ proxy: `http://${gone.host}` })],
    })

    const response = await ask(gateway, form.chat)

    expect(response.status).toBe(502)
    const text = await response.text()
    expect(text).toContain('The connection to the upstream failed.')
    expect(text).not.toContain(String(gone.port))
    expect(gateway.attemptWarnings[0]).toMatchObject({
      error: 'upstream_unreachable',
      reason: `The proxy ${gone.host} cannot be used. The host refuses the connection.`,
    })
  })
})

describe('the proxy of the environment', () => {
  const call = async (env: Record<string, string>, settings: object = {}) => {
    await using gateway = await createTestGateway({ accounts: [far(settings)], env })
    return (await ask(gateway, form.chat, { stream: false })).status
  }

  test.each(['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'])(
    'is that of %s',
    async (name) => {
      await using proxy = await startProxy()
      expect(await call({ [name]: `http://${proxy.host}` })).toBe(200)
      expect(proxy.asked).toHaveLength(1)
    },
  )

  test('of the lower case goes before the upper case, and needs no scheme', async () => {
    await using proxy = await startProxy()
    await using other = await startProxy({ status: 403 })
    expect(await call({ https_proxy: proxy.host, HTTPS_PROXY: `http://${other.host}` })).toBe(200)
    expect(other.asked).toHaveLength(0)
  })

  test.each(['model.test', '.test', '*.test', 'a.example, model.test', '*'])(
    'is not for hosts of NO_PROXY=%s',
    async (direct) => {
      await using proxy = await startProxy()
      // No one but the proxy knows the name.
      expect(await call({ HTTPS_PROXY: `http://${proxy.host}`, NO_PROXY: direct })).toBe(502)
      expect(proxy.asked).toHaveLength(0)
    },
  )

  test('gives way to that of the account, or to none', async () => {
    await using proxy = await startProxy()
    await using other = await startProxy({ status: 403 })
    const env = { HTTPS_PROXY: `http://${other.host}`, NO_PROXY: '*' }
    expect(await call(env, { proxy: `http://${proxy.host}` })).toBe(200)
    expect(await call({ HTTPS_PROXY: `http://${other.host}` }, { proxy: false })).toBe(502)
    expect([proxy.asked.length, other.asked.length]).toEqual([1, 0])
  })

  test('is not for accounts on this machine', async () => {
    await using proxy = await startProxy()
    await using local = await startFakeAccount(answerJson(form.chat.reply))
    const url = `http://${proxy.host}`
    await using gateway = await createTestGateway({
      accounts: [accountFor(form.chat, 'local', local.url)],
      env: { HTTP_PROXY: url, HTTPS_PROXY: url },
    })

    expect((await ask(gateway, form.chat, { stream: false })).status).toBe(200)
    expect(proxy.asked).toHaveLength(0)
  })
})
