import { expect, test } from 'vitest'

import { startSandbox } from '../../src/sandbox/index.ts'
import { openMemoryStore } from '../../src/stores/memory.ts'
import { breakable } from '../../src/testing/breakable-store.ts'
import { until } from '../../src/testing/until.ts'
import type { AdminGateway } from './admin-gateway.ts'
import { call, processesOf, startReplica } from './replicas.ts'

interface Answer {
  readonly gateway: {
    readonly changesInForce: {
      readonly processIds: readonly string[]
      readonly missingIds: readonly string[]
    }
  }
}

const query = '{ gateway { changesInForce { processIds missingIds } } }'

async function inForce(gateway: AdminGateway): Promise<Answer['gateway']['changesInForce']> {
  return (await gateway.graph<Answer>(query, {}, 'viewer')).data.gateway.changesInForce
}

const switchOff = 'mutation { disableAccount(input: {id: "a", reason: "x"}) { __typename } }'

test('a process that is said to have a change has it: the account gets no call there from that answer on', async () => {
  await using sandbox = await startSandbox()
  const store = openMemoryStore()
  await using one = await startReplica(store, sandbox.url)
  await using other = await startReplica(store, sandbox.url)
  await until(async () => (await processesOf(one)).processes.length === 2)
  expect((await call(other, 'sandbox/echo')).status).toBe(200)
  await one.graph(switchOff)
  const { processIds, missingIds } = await inForce(one)
  expect((await call(other, 'sandbox/echo')).status).toBe(503)
  expect([processIds.toSorted(), missingIds]).toEqual([
    [one, other].map(({ services }) => services.processes.id).toSorted(),
    [],
  ])
})

test('a process that the store does not answer is not said to have a change', async () => {
  await using sandbox = await startSandbox()
  const memory = openMemoryStore()
  const store = breakable(memory)
  await using one = await startReplica(memory, sandbox.url)
  await using other = await startReplica(store, sandbox.url)
  await until(async () => (await processesOf(one)).processes.length === 2)
  store.broken.reads = true
  await one.graph(switchOff)
  expect(await inForce(one)).toEqual({
    processIds: [one.services.processes.id],
    missingIds: [other.services.processes.id],
  })
  store.broken.reads = false
  expect((await inForce(one)).missingIds).toEqual([])
})
