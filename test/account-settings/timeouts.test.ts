import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'

import { expect, test } from 'vitest'

import { checkConfiguration } from '../../src/configuration/resolve.ts'
import { startFakeAccount } from '../../src/testing/fake-account.ts'
import { createTestGateway } from '../../src/testing/gateway.ts'
import { until } from '../../src/testing/until.ts'
import { serving, startPool } from '../walks/failover/pool.ts'
import { ask, receive } from '../walks/streams/asking.ts'
import { asDelivered, form, upToOutput } from '../walks/streams/forms.ts'
import { accountFor, openStream } from '../walks/streams/scripted.ts'

test.concurrent('an account that is slow is given up by its own deadline', async () => {
  await using pool = await startPool(
    form.chat,
    { slow: () => {}, quick: serving(form.chat) },
    {},
    (settings) =>
      settings.id === 'slow' ? { ...settings, timeouts: { firstByteMs: 200 } } : settings,
  )

  const response = await ask(pool.gateway, form.chat, { stream: false })

  expect(response.status).toBe(200)
  expect(pool.accounts.slow.requests).toHaveLength(1)
  expect(pool.accounts.quick.requests).toHaveLength(1)
  await until(() => pool.accounts.slow.requests[0]!.aborted)
})

test.concurrent('an account may take longer than the others', async () => {
  await using account = await startFakeAccount(async (response, request) => {
    // The deadline of the gateway has long passed when the first byte arrives.
    await until(() => performance.now() - startedAt > 600)
    await serving(form.chat)(response, request)
  })
  await using gateway = await createTestGateway({
    timeouts: { firstByteMs: 100 },
    accounts: [accountFor(form.chat, 'only', account.url, { timeouts: { firstByteMs: 60_000 } })],
  })
  const startedAt = performance.now()

  expect((await ask(gateway, form.chat, { stream: false })).status).toBe(200)
})

test.concurrent('the silence within a reply and its whole length have deadlines, too', async () => {
  const written = upToOutput(form.chat)
  await using account = await startFakeAccount((response) => openStream(response, written))
  const accounts = (['idleMs', 'totalMs'] as const).map((name) =>
    accountFor(form.chat, name, account.url, { models: [name], timeouts: { [name]: 200 } }),
  )
  await using gateway = await createTestGateway({ accounts })

  const [idle, total] = await Promise.all(
    accounts.map(async ({ id }) => receive(await ask(gateway, form.chat, { model: id }))),
  )

  const delivered = asDelivered(form.chat, written).length
  expect(idle!.text.slice(delivered)).toContain('The upstream did not continue in time.')
  expect(total!.text.slice(delivered)).toContain('The upstream did not finish in time.')
})

test.concurrent('a connection has a deadline of its own', async () => {
  // Takes the connection, and never shakes hands.
  const deaf = createServer()
  await new Promise<void>((resolve) => deaf.listen(0, '127.0.0.1', resolve))
  const { port } = deaf.address() as AddressInfo
  await using _closed = { [Symbol.asyncDispose]: async () => void deaf.close() }
  const url = `https://127.0.0.1:${port}`
  await using gateway = await createTestGateway({
    accounts: [accountFor(form.chat, 'deaf', url, { timeouts: { connectMs: 200 } })],
  })

  const response = await ask(gateway, form.chat)

  expect(response.status).toBe(504)
  expect(await response.json()).toMatchObject({
    error: { message: 'Connecting to the upstream took too long.' },
  })
})

test('deadlines that concern clients, or that are none, are problems', () => {
  const timeouts = { firstByteMs: 0, requestBodyMs: 5, idleMs: '5s' }
  const account = { id: 'a', provider: 'openai', models: ['m'], timeouts }
  const { problems } = checkConfiguration({ accounts: [account] }, { env: {} })

  expect(problems.map(({ path }) => path).sort()).toEqual([
    'accounts[0].timeouts.firstByteMs',
    'accounts[0].timeouts.idleMs',
    'accounts[0].timeouts.requestBodyMs',
  ])
})
