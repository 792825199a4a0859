import { expect, test } from 'vitest'

import { until } from '../../src/testing/until.ts'
import { startRedis } from '../../src/testing/redis.ts'
import { addressesOf, anyPorts, withoutAdmin } from './dragoman.ts'
import { accountAsked, ask, configuration, logOf, openSwitchedPlace } from './switched.ts'

test.concurrent('a gateway without an account that is on is not ready, and says so', async () => {
  await using opened = await openSwitchedPlace()
  const { place } = opened
  const { clients, operators } = await addressesOf(place.start(anyPorts))
  const readiness = (url: string) => fetch(`${url}/readyz`).then(({ status }) => status)
  const both = () => Promise.all([readiness(clients), readiness(operators)])
  expect(await both()).toEqual([200, 200])

  await place.call('accounts disable a')
  await until(async () => (await accountAsked(clients)) === 'b')
  expect(await both()).toEqual([200, 200])
  await place.call('accounts disable b')
  await until(async () => (await both()).join() === '503,503')
  await place.call('accounts enable b')
  await until(async () => (await both()).join() === '200,200')
})

test.concurrent('a changed configuration switches nothing on, and may switch off itself', async () => {
  await using opened = await openSwitchedPlace()
  const { place, sandbox } = opened
  const { clients } = await addressesOf(place.start(withoutAdmin))
  await place.call('accounts disable a')
  await until(async () => (await accountAsked(clients)) === 'b')

  const aliases = { quick: 'sandbox/words=2' }
  await place.write('dragoman.config.json', configuration(sandbox, { aliases }))
  await until(async () => (await ask(clients, { model: 'quick' })).status === 200)
  expect(await accountAsked(clients)).toBe('b')

  const { accounts } = JSON.parse(configuration(sandbox)) as { accounts: object[] }
  const off = accounts.map((account) => ({ ...account, enabled: false }))
  await place.write('dragoman.config.json', configuration(sandbox, { accounts: off }))
  await until(async () => (await accountAsked(clients)) === 'status 503')
  const refused = await place.call('accounts enable a')
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('configuration') })
})

test.concurrent('a gateway whose store cannot tell serves as configured until it can', async () => {
  await using redis = await startRedis()
  await using opened = await openSwitchedPlace({ store: redis.url })
  const { place } = opened
  await place.call('accounts disable a')
  redis.pause()
  const server = place.start(withoutAdmin)
  const { clients } = await addressesOf(server)
  expect(await accountAsked(clients)).toBe('a')
  expect(logOf(server).map(({ msg }) => msg)).toContain(
    'the store cannot be read; accounts are enabled or disabled as the configuration says',
  )
  redis.resume()
  await until(async () => (await accountAsked(clients)) === 'b')
})

test.concurrent('an account that is off stays off while the store is away', async () => {
  await using redis = await startRedis()
  await using opened = await openSwitchedPlace({ store: redis.url })
  const { place } = opened
  await place.call('accounts disable a')
  const server = place.start(withoutAdmin)
  const { clients } = await addressesOf(server)
  await redis.kill()
  await server.said(/the store failed; accounts stay enabled or disabled as they were last known/)
  expect(await accountAsked(clients)).toBe('b')
})
