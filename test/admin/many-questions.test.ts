import { expect, test } from 'vitest'

import { openMemoryStore } from '../../src/stores/memory.ts'
import { until } from '../../src/testing/until.ts'
import { startReplica } from './replicas.ts'

const cancel =
  'mutation { cancelExchange(input: {id: "req_none", reason: "x"}) { __typename ... on Conflict { message } } }'

/** An operation that asks all processes for their exchanges, fifteen times. */
function fifteen(filterOf: (index: number) => string): string {
  const fields = Array.from(
    { length: 15 },
    (_, i) => `a${i}: exchanges(filter: {${filterOf(i)}}) { id }`,
  )
  return `{ ${fields.join(' ')} }`
}

test('the questions of one viewer keep neither acts nor the questions of others from all processes', async () => {
  const store = openMemoryStore()
  await using one = await startReplica(store, 'http://127.0.0.1:9')
  const own = await store
    .records<object>('processes', { listed: true })
    .get(one.services.processes.id)
  /** Its record is all that is left of a process: each command to it waits until its deadline. */
  const leaveDead = async () => {
    const dead = { ...own, id: 'dead', at: one.services.now() }
    await store.records<object>('processes', { listed: true }).set('dead', dead)
    await one.services.processes.view({ afresh: true })
  }
  let asked: string[] = []
  const bus = await store.openBus('listener', () => {})
  bus.listen({
    onGap() {},
    onMessage: (text) => void asked.push((JSON.parse(text) as { kind: string }).kind),
  })
  const commands = (kind: string) => asked.filter((one) => one === kind).length

  await leaveDead()
  // Equal questions are one.
  const equal = one.graph(
    fifteen(() => ''),
    {},
    'viewer',
  )
  await until(() => commands('exchanges') === 1)
  const { errors: none, extensions } = await equal
  expect(none).toEqual([])
  const reasons = new Set(extensions.incomplete?.map(({ reason }) => reason))
  expect([...reasons]).toEqual(['1 process did not answer in full: dead.'])

  await leaveDead()
  const flood = ['p', 'q', 'r'].map((name) =>
    one.graph(
      fifteen((index) => `keyId: "${name}${index}"`),
      {},
      'viewer',
    ),
  )
  await until(() => commands('exchanges') >= 4)
  const other = one.graph('{ exchanges { id } }', {}, 'operator')
  await until(() => commands('exchanges') > 4)
  expect(commands('exchanges')).toBe(5)
  const act = one.graph(cancel, {}, 'operator')
  expect(await act).toMatchObject({
    data: {
      cancelExchange: {
        __typename: 'Conflict',
        message: 'The exchange is unknown here, and dead did not answer.',
      },
    },
  })
  for (const { errors } of await Promise.all([...flood, other])) expect(errors).toEqual([])
})
