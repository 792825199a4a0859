import { expect, test } from 'vitest'

import { type AuditRecord, createAuditLog } from '../../src/audit/log.ts'
import { type AdminGateway, startAdminGateway } from './admin-gateway.ts'

const hasty = { tokenBurst: 100_000 }
const control = { check: async () => [], reload: async () => [] }

function records(gateway: AdminGateway): Promise<AuditRecord[]> {
  return createAuditLog({ store: gateway.running.store }).list({ limit: 1_000 })
}

/** An operation of many acts. Returns the names of their outcomes. */
async function act(gateway: AdminGateway, acts: string[], role: 'viewer' | 'operator') {
  const fields = acts.map((one, index) => `a${index}: ${one} { __typename }`)
  const { data, errors } = await gateway.graph<Record<string, { __typename: string }>>(
    `mutation { ${fields.join(' ')} }`,
    {},
    role,
  )
  expect(errors).toEqual([])
  return Object.values(data).map((one) => one.__typename)
}

const times = <Item>(count: number, item: (index: number) => Item) =>
  Array.from({ length: count }, (_, index) => item(index))

test('a viewer who ends sessions of others does nothing, and fills no audit log', async () => {
  await using gateway = await startAdminGateway()
  for (let sent = 0; sent < 8; sent++) {
    const ends = times(30, (index) => `endSession(input: {id: "${sent}-${index}"})`)
    expect(new Set(await act(gateway, ends, 'viewer'))).toEqual(new Set(['NotFound']))
  }
  const all = await records(gateway)
  expect(all).toHaveLength(101)
  expect(new Set(all.map(({ result }) => result))).toEqual(new Set(['REFUSED']))
})

test('who fails again and again has to wait, and what is done does not count', async () => {
  const limits = { ...hasty, actBurst: 1_000, failedActBurst: 5, failedActsPerMinute: 1 }
  let at = 0
  await using gateway = await startAdminGateway({ adminLimits: limits, control, uptime: () => at })
  const done = times(20, () => 'reloadConfiguration(input: {})')
  expect(await act(gateway, done, 'operator')).toContain('ReloadConfigurationSuccess')
  const before = (await records(gateway)).length
  const miss = (count: number) =>
    act(
      gateway,
      times(count, () => 'cancelExchange(input: {id: "none", reason: "x"})'),
      'operator',
    )
  expect(await miss(9)).toEqual([...times(5, () => 'NotFound'), ...times(4, () => 'Conflict')])
  const added = (await records(gateway)).slice(0, -before)
  expect(added.map(({ result, count }) => [result, count])).toEqual([
    ['REFUSED', undefined],
    ['FAILED', 3],
    ['FAILED', undefined],
    ['FAILED', undefined],
  ])
  expect(added[0]?.message).toBe('Too many acts: try again in 60 s. Nothing was changed.')
  at = 60_000
  expect(await miss(2)).toEqual(['NotFound', 'Conflict'])
})

test('one token may act fifty times at once, and others at the same time', async () => {
  await using gateway = await startAdminGateway({ adminLimits: hasty, control, uptime: () => 0 })
  const reload = (count: number) => times(count, () => 'reloadConfiguration(input: {})')
  const first = await act(gateway, reload(30), 'operator')
  const second = await act(gateway, reload(30), 'operator')
  expect(await records(gateway)).toHaveLength(51)
  expect([...first, ...second]).toEqual([
    ...times(50, () => 'ReloadConfigurationSuccess'),
    ...times(10, () => 'Conflict'),
  ])
})

test('an act that fails alike again and again has three records a minute; one that ends otherwise has its own', async () => {
  let at = 0
  await using gateway = await startAdminGateway({ uptime: () => at })
  const before = (await records(gateway)).length
  const create = (id: string) =>
    gateway.graph(`mutation { createKey(input: {id: "${id}"}) { __typename } }`)
  const revoke = (id: string, reason = 'x') =>
    gateway.graph(
      `mutation { revokeKey(input: {id: "${id}", reason: "${reason}"}) { __typename } }`,
    )
  const added = async () =>
    (await records(gateway))
      .slice(0, -before || undefined)
      .map(({ action, target, result, count }) => [action, target.id, result, count])
  for (let sent = 0; sent < 20; sent++) await revoke('late')
  const failures = [
    ['key.revoke', 'late', 'FAILED', 18],
    ['key.revoke', 'late', 'FAILED', undefined],
    ['key.revoke', 'late', 'FAILED', undefined],
  ]
  expect(await added()).toEqual(failures)
  await revoke('other')
  await revoke('late', 'y')
  await create('late')
  expect(JSON.stringify((await revoke('late')).data)).toContain('RevokeKeySuccess')
  expect(await added()).toEqual([
    ['key.revoke', 'late', 'DONE', undefined],
    ['key.create', 'late', 'DONE', undefined],
    ['key.revoke', 'late', 'FAILED', undefined],
    ['key.revoke', 'other', 'FAILED', undefined],
    ...failures,
  ])
  at = 60_000
  for (let sent = 0; sent < 4; sent++) await revoke('other')
  expect((await added()).filter(([, id]) => id === 'other').map(([, , , count]) => count)).toEqual([
    2,
    undefined,
    undefined,
    undefined,
  ])
})

test('acts that fail alike at the same time leave a record each; none is lost', async () => {
  await using gateway = await startAdminGateway()
  const before = (await records(gateway)).length
  const revoke = 'mutation { revokeKey(input: {id: "none", reason: "x"}) { __typename } }'
  await Promise.all(times(8, () => gateway.graph(revoke)))
  await gateway.graph(revoke)
  const added = (await records(gateway)).slice(0, -before || undefined)
  expect(new Set(added.map(({ result }) => result))).toEqual(new Set(['FAILED']))
  expect(added.reduce((sum, { count = 1 }) => sum + count, 0)).toBe(9)
})
