import { afterAll, beforeAll, describe } from 'vitest'

import { openStore } from '../../src/stores/open.ts'
import type { Store } from '../../src/stores/store.ts'
import { until } from '../../src/testing/until.ts'
import { storeContract } from './contract.ts'
import { startCluster, startSentinel, type Topology } from './topologies.ts'

const topologies: [name: string, start: () => Promise<Topology>][] = [
  ['a cluster', startCluster],
  ['a sentinel', startSentinel],
]

describe.each(topologies)('contract, %s', (_name, start) => {
  let topology: Topology
  let opened = 0

  beforeAll(async () => {
    topology = await start()
    // It is up when it answers: nodes learn of each other in their own time.
    const store = await openStore(topology.url, { cwd: '/' })
    await untilItAnswers(store)
    await store.close()
  }, 40_000)
  afterAll(() => topology[Symbol.asyncDispose]())

  // One for all tests: each of them has a part of it to itself.
  storeContract(async () => {
    const store = await openStore(`${topology.url}?prefix=test-${++opened}:`, { cwd: '/' })
    // The first connection through a sentinel can take longer than the start of a gateway waits.
    await untilItAnswers(store)
    return { store, [Symbol.asyncDispose]: () => store.close() }
  })
})

async function untilItAnswers(store: Store): Promise<void> {
  const answers = () =>
    store
      .records('probe')
      .set('a', 1)
      .then(
        () => true,
        () => false,
      )
  await until(answers, 20_000)
}
