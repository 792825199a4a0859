import { expect, test, vi } from 'vitest'

import { startSandbox } from '../../src/sandbox/index.ts'
import { startRedis } from '../../src/testing/redis.ts'
import { until } from '../../src/testing/until.ts'
import { type AdminGateway, startAdminGateway } from './admin-gateway.ts'
import { type Following, follow } from './live-client.ts'
import { accountAt, call } from './following-calls.ts'

vi.setConfig({ testTimeout: 90_000 })

function typesOf({ events }: Following, id: string): string[] {
  return events.filter(({ exchange }) => exchange?.id === id).map((event) => event.__typename)
}

const disable = 'mutation { disableAccount(input: {id: "a", reason: "broken"}) { __typename } }'

test('a subscriber follows exchanges, accounts and audit over SSE, without content', async () => {
  await using sandbox = await startSandbox()
  await using gateway = await startAdminGateway({ accounts: [accountAt(sandbox.url)] })
  const topics = ['EXCHANGES', 'ACCOUNTS', 'AUDIT', 'PULSE', 'CIRCUITS', 'JOBS', 'CONFIGURATION']
  const { live } = gateway.services.processes
  expect(Object.values(live.wanted)).not.toContain(true)
  using all = follow(gateway.adminUrl, gateway.token('viewer'), topics)
  using filtered = follow(gateway.adminUrl, gateway.token('viewer'), topics, { keyId: 'another' })
  await until(() => live.wanted.EXCHANGES)
  const reply = await call(gateway.url, gateway.key)
  const id = reply.headers.get('x-request-id') ?? ''
  await until(() => typesOf(all, id).includes('ExchangeEnded'))
  expect(typesOf(all, id)[0]).toBe('ExchangeBegan')
  expect(typesOf(all, id).at(-1)).toBe('ExchangeEnded')

  await gateway.graph(disable, {}, 'operator')
  await until(() => all.events.some(({ __typename }) => __typename === 'AccountChanged'))
  const audit = all.events.filter(({ __typename }) => __typename === 'AuditRecorded')
  expect(audit.map(({ entry }) => entry)).toEqual([
    { action: 'account.disable', result: 'STARTED' },
    { action: 'account.disable', result: 'DONE' },
  ])
  expect(typesOf(filtered, id)).toEqual([])
  expect(JSON.stringify(all.events)).not.toContain('canary')
  expect([...all.errors, ...filtered.errors]).toEqual([])
})

test('a subscriber that leaves costs nothing any more', async () => {
  await using gateway = await startAdminGateway({ accounts: [accountAt('http://127.0.0.1:9')] })
  const { live, monitor } = gateway.services.processes
  const left = follow(gateway.adminUrl, gateway.token('viewer'), ['EXCHANGES'])
  await until(() => live.wanted.EXCHANGES && monitor.onEnded !== undefined)
  left[Symbol.dispose]()
  await until(() => !live.wanted.EXCHANGES && monitor.onEnded === undefined)
})

test('a process has 32 subscribers at most', async () => {
  await using gateway = await startAdminGateway({ accounts: [accountAt('http://127.0.0.1:9')] })
  const { live } = gateway.services.processes
  const principal = { kind: 'token', role: 'viewer' } as const
  const all = Array.from({ length: 32 }, (_, index) =>
    live.subscribe(['AUDIT'], {}, { ...principal, id: index < 16 ? 'x' : 'y' }),
  )
  using refused = follow(gateway.adminUrl, gateway.token('viewer'), ['AUDIT'])
  await until(() => refused.errors.length > 0)
  expect(refused.errors[0]).toContain('32 subscribers')
  live.end(({ id }) => id === 'x')
  expect(await all[0]?.next()).toEqual({ done: true, value: undefined })
  using taken = follow(gateway.adminUrl, gateway.token('viewer'), ['AUDIT'])
  await until(() => live.wanted.AUDIT)
  expect(taken.errors).toEqual([])
})

/** Events of the other replica reach a subscriber. */
async function sees(gateway: AdminGateway, other: AdminGateway, all: Following): Promise<boolean> {
  const { id } = other.services.processes
  await call(other.url, other.key)
  await new Promise((resolve) => setTimeout(resolve, 50))
  return all.events.some(({ exchange }) => exchange?.processId === id && gateway !== other)
}

test('two replicas on Redis: events and commands cross at once, and an outage is told', async () => {
  await using redis = await startRedis()
  await using sandbox = await startSandbox()
  const options = { store: redis.url, accounts: [accountAt(sandbox.url)] }
  await using one = await startAdminGateway(options)
  await using other = await startAdminGateway(options)
  using all = follow(one.adminUrl, one.token('viewer'), ['EXCHANGES', 'AUDIT'])
  await until(() => sees(one, other, all))
  await other.graph(disable, {}, 'operator')
  const audit = { action: 'account.disable', result: 'DONE' }
  await until(() => all.events.some(({ entry }) => entry && entry.result === audit.result))

  let performed = 0
  other.services.processes.handle('probe', () => ++performed)
  await until(async () => (await one.services.processes.view()).processes.length === 2)
  const { outcomes } = await one.services.processes.broadcast({ kind: 'probe' })
  expect(outcomes[1]).toEqual({
    processId: other.services.processes.id,
    status: 'DONE',
    result: 1,
  })

  await redis.restart()
  await until(() => all.events.some(({ reason }) => reason === 'OUTAGE'), 20_000)
  const seen = all.events.length
  await until(async () => {
    await other.graph('mutation { cancelExchange(input: {id: "x", reason: "y"}) { __typename } }')
    return all.events.slice(seen).some(({ entry }) => entry?.action === 'exchange.cancel')
  }, 30_000)
  expect(all.errors).toEqual([])
})
