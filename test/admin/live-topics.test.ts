import { expect, test, vi } from 'vitest'

import { startRedis } from '../../src/testing/redis.ts'
import { until } from '../../src/testing/until.ts'
import { startAdminGateway } from './admin-gateway.ts'
import { follow } from './live-client.ts'
import {
  topics,
  key,
  startUpstream,
  call,
  act,
  ofType,
  followJob,
  disable,
  enable,
  causeAll,
  expectClean,
} from './live-topics.ts'

vi.setConfig({ testTimeout: 90_000 })

test('one process: each topic has its events, from the moment of the subscription', async () => {
  const { upstream, video, accounts } = await startUpstream()
  await using _upstream = upstream
  await using gateway = await startAdminGateway({ accounts, keys: [{ id: 'team', secret: key }] })
  const place = { ...gateway, token: gateway.token('admin') }
  using all = follow(gateway.adminUrl, gateway.token('viewer'), topics)
  const { live } = gateway.services.processes
  await until(() => live.wanted.AUDIT)
  // At once: the state of the subscription is what changes are compared with.
  expect(await act(place, disable)).toBe('DisableAccountSuccess')
  await until(() => ofType(all, 'AccountChanged').length > 0)
  expect(ofType(all, 'AccountChanged')[0]).toMatchObject({ accountId: 'good', enabled: false })
  expect(await act(place, enable)).toBe('EnableAccountSuccess')
  await until(() => ofType(all, 'AccountChanged').some(({ enabled }) => enabled === true))
  await causeAll(all, place)
  await followJob(all, place, video)
  gateway.reconfigure({})
  await until(() => ofType(all, 'ConfigurationChanged').length > 0)
  // A name of a client's choice is a value like others, not a part of the stream.
  const name = 'x\n\nevent: complete\ndata:\n\n\u2028\u001b[2J"}}'
  await call(place, name)
  await until(() => ofType(all, 'ExchangeEnded').some(({ exchange }) => exchange?.model === name))
  expectClean(all)
})

test('an account of the store is followed from its creation to its end', async () => {
  const { upstream, accounts } = await startUpstream()
  await using _upstream = upstream
  await using gateway = await startAdminGateway({ accounts })
  const place = { ...gateway, token: gateway.token('admin') }
  using all = follow(gateway.adminUrl, gateway.token('viewer'), ['ACCOUNTS'])
  await until(() => gateway.services.processes.live.wanted.ACCOUNTS)
  const changes = () =>
    ofType(all, 'AccountChanged').map(({ accountId, deleted }) => [accountId, deleted])
  const models = (name: string) => `id: "late", models: ["${name}"]`
  const created = `provider: "openai", baseUrl: "${upstream.url}", credential: "sk-canary-1234567890"`
  await act(place, `createAccount(input: {${models('m')}, speaks: ["chat"], ${created}})`)
  await until(() => changes().length === 1)
  await act(place, `updateAccount(input: {${models('n')}})`)
  await until(() => changes().length === 2)
  await act(place, 'deleteAccount(input: {id: "late", reason: "x"})')
  await until(() => changes().length === 3)
  expect(changes()).toEqual([
    ['late', false],
    ['late', false],
    ['late', true],
  ])
  expectClean(all)
})

test('two replicas on Redis: a subscriber of one gets each topic of the other', async () => {
  const { upstream, video, accounts } = await startUpstream()
  await using _upstream = upstream
  await using redis = await startRedis()
  const options = { store: redis.url, accounts, keys: [{ id: 'team', secret: key }] }
  await using one = await startAdminGateway(options)
  await using other = await startAdminGateway(options)
  const place = { ...other, token: other.token('admin') }
  using all = follow(one.adminUrl, one.token('viewer'), topics)
  const { id, live } = other.services.processes
  await until(() => live.wanted.AUDIT)
  await causeAll(all, place)
  await followJob(all, place, video)
  other.reconfigure({})
  await until(() => ofType(all, 'ConfigurationChanged').length > 0)
  const types = ['CircuitChanged', 'AccountChanged', 'AuditRecorded', 'JobChanged']
  for (const type of [...types, 'ConfigurationChanged']) {
    await until(() => ofType(all, type).some(({ processId }) => processId === id))
  }
  await until(() => ofType(all, 'PulseSample').some(({ processes }) => processes === 2))
  expectClean(all)
})
