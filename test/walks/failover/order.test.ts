import { expect, test } from 'vitest'

import { startSandbox } from '../../../src/sandbox/index.ts'
import { createTestGateway } from '../../../src/testing/gateway.ts'
import { ask } from '../streams/asking.ts'
import { form } from '../streams/forms.ts'
import { refusing, serving, startPool } from './pool.ts'

const { chat } = form

test('accounts of a lower number are asked first, whatever their place in the list', async () => {
  const priorities: Record<string, number> = { last: 7, first: -1, middle: 3 }
  await using pool = await startPool(
    chat,
    { last: serving(chat), first: refusing(500), middle: refusing(503) },
    {},
    (settings) => ({ ...settings, priority: priorities[settings.id]! }),
  )

  const response = await ask(pool.gateway, chat)

  expect(response.headers.get('x-dragoman-account')).toBe('last')
  expect(pool.accounts.first.requests).toHaveLength(1)
  expect(pool.accounts.middle.requests).toHaveLength(1)
})

test('accounts of the same number share the work by weight', async () => {
  await using pool = await startPool(
    chat,
    { heavy: serving(chat), light: serving(chat) },
    {},
    (settings) => ({ ...settings, priority: 0, weight: settings.id === 'heavy' ? 3 : 1 }),
  )

  const count = 200
  const asked = Array.from({ length: count }, () => ask(pool.gateway, chat, { stream: false }))
  for (const response of await Promise.all(asked)) expect(response.status).toBe(200)

  const { heavy, light } = pool.accounts
  expect(heavy.requests.length + light.requests.length).toBe(count)
  // Expected are 50; the bounds are about five standard deviations away.
  expect(light.requests.length).toBeGreaterThan(20)
  expect(light.requests.length).toBeLessThan(80)
})

test('when one of two equals fails, the other one is asked', async () => {
  await using pool = await startPool(
    chat,
    { a: refusing(503), b: serving(chat) },
    {},
    (settings) => ({ ...settings, priority: 0 }),
  )

  const asked = Array.from({ length: 20 }, () => ask(pool.gateway, chat, { stream: false }))
  const served = (await Promise.all(asked)).map(({ headers }) => headers.get('x-dragoman-account'))

  expect(new Set(served)).toEqual(new Set(['b']))
})

test('a disabled account is never asked', async () => {
  await using pool = await startPool(
    chat,
    { off: serving(chat), on: refusing(503) },
    {},
    (settings) => ({ ...settings, enabled: settings.id === 'on' }),
  )

  const response = await ask(pool.gateway, chat)

  expect(response.status).toBe(503)
  expect(pool.accounts.off.requests).toHaveLength(0)
})

test('an account that does not have the model is never asked', async () => {
  const changes: Record<string, object> = {
    otherModel: { models: ['other-*'] },
    failing: {},
  }
  await using pool = await startPool(
    chat,
    { otherModel: serving(chat), failing: refusing(503) },
    {},
    (settings) => ({ ...settings, ...changes[settings.id] }),
  )

  await ask(pool.gateway, chat)

  expect(pool.accounts.otherModel.requests).toHaveLength(0)
  expect(pool.accounts.failing.requests).toHaveLength(1)
})

test('the sandbox shows the whole of it: its account a fails, its account b serves', async () => {
  await using sandbox = await startSandbox()
  await using gateway = await createTestGateway({
    accounts: ['a', 'b'].map((id, priority) => ({
      id,
      provider: 'sandbox',
      baseUrl: sandbox.url,
      apiKey: `sandbox-key-${id}`,
      models: ['*'],
      priority,
    })),
  })

  const response = await ask(gateway, chat, { model: 'sandbox/only=a+status=503', stream: false })

  expect(response.status).toBe(200)
  expect(response.headers.get('x-dragoman-account')).toBe('b')
  expect(sandbox.requests.map(({ account }) => account)).toEqual(['a', 'b'])
})
