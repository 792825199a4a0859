import { expect, test } from 'vitest'

import { StoreUnavailable } from '../../src/stores/store.ts'
import { type TestRedis, startRedis } from '../../src/testing/redis.ts'
import { until } from '../../src/testing/until.ts'
import { patiently } from './patiently.ts'
import { type TestCluster, startCluster } from './topologies.ts'
import { ids, fill, rest, missing, open } from './scanned.ts'

test('a scan repeats nothing of a page when many records come between the page and the next one', async () => {
  await using redis = await startRedis()
  await using store = await open(redis.url)
  const records = store.records<number>('things')
  await records.setMany(ids.slice(0, 400).map((id) => ({ id, value: 0 })))
  const first = await patiently(() => records.scan({ limit: 100 }))
  const page = first.records.slice(0, 90)
  const cursor = page.at(-1)?.cursor
  // The same SCAN now ends before most records of the page.
  await fill(records)
  const found = await rest(records, cursor)
  expect(page.filter(({ id }) => found.has(id))).toEqual([])
  expect(missing(new Set(page.map(({ id }) => id)), found)).toEqual([])
})

test('a scan begins again on a server that has restarted, which has another order', async () => {
  await using redis = await startRedis()
  await using store = await open(redis.url)
  const records = store.records<number>('things')
  await fill(records)
  const { next } = await patiently(() => records.scan({ limit: 500 }))
  await redis.restart()
  await until(() =>
    fill(records).then(
      () => true,
      () => false,
    ),
  )
  expect(missing(await rest(records, next))).toEqual([])
})

test('a scan of a cluster ends and loses nothing that stays while slots move', async () => {
  await using cluster = await startCluster()
  await using before = await open(cluster.url)
  await fill(before.records<number>('things'))
  const seen = new Set<string>()
  let cursor: string | undefined
  // Until it is in the second node, whose first slot then moves to the first node.
  do {
    const present = cursor
    const page = await patiently(() =>
      before.records<number>('things').scan({ cursor: present, limit: 100 }),
    )
    for (const { id } of page.records) seen.add(id)
    cursor = page.next
  } while (cursor !== undefined && slotIn(cursor) === 0)
  expect(slotIn(cursor ?? '')).toBe(5_462)
  const moved = await moveSlot(cluster, 5_462, { from: 1, to: 0 })
  await using after = await open(cluster.url)
  for (const store of [before, after]) {
    const found = await rest(store.records<number>('things'), cursor)
    expect(missing(seen, found, moved)).toEqual([])
  }
  await cluster.nodes[2]?.kill()
  await expect(rest(before.records<number>('things'), cursor)).rejects.toThrow(StoreUnavailable)
}, 60_000)

/** The slot of the server that a cursor is in. */
function slotIn(cursor: string): number {
  return Number((JSON.parse(Buffer.from(cursor, 'base64url').toString()) as string[])[0])
}

/** Moves a slot with its keys, and returns the ids of those. */
async function moveSlot(
  { nodes }: TestCluster,
  slot: number,
  { from, to }: { from: number; to: number },
): Promise<Set<string>> {
  const [source, target] = [nodes[from] as TestRedis, nodes[to] as TestRedis]
  const [sourceId, targetId] = await Promise.all([source, target].map(idOf))
  await target.command('CLUSTER', 'SETSLOT', String(slot), 'IMPORTING', sourceId!)
  await source.command('CLUSTER', 'SETSLOT', String(slot), 'MIGRATING', targetId!)
  const reply = await source.command('CLUSTER', 'GETKEYSINSLOT', String(slot), '1000')
  const keys = reply.split('\r\n').filter((line) => line.startsWith('dragoman:'))
  if (keys.length > 0) {
    const port = String(target.port)
    await source.command('MIGRATE', '127.0.0.1', port, '', '0', '5000', 'KEYS', ...keys)
  }
  for (const node of [target, source, ...nodes]) {
    await node.command('CLUSTER', 'SETSLOT', String(slot), 'NODE', targetId!)
  }
  return new Set(keys.map((key) => key.slice('dragoman:things:'.length)))
}

async function idOf(node: TestRedis): Promise<string> {
  return (await node.command('CLUSTER', 'MYID')).split('\r\n')[1] ?? ''
}
