import { expect, test } from 'vitest'

import { openStore } from '../../src/stores/open.ts'
import { type Records, type Store, StoreUnavailable } from '../../src/stores/store.ts'
import { type TestRedis, startRedis } from '../../src/testing/redis.ts'
import { until } from '../../src/testing/until.ts'
import { patiently } from './patiently.ts'
import { type TestCluster, startCluster } from './topologies.ts'

const ids = Array.from({ length: 1_500 }, (_, index) => `id-${index}`)

async function fill(records: Records<number>): Promise<void> {
  for (let from = 0; from < ids.length; from += 100) {
    const some = ids.slice(from, from + 100).map((id, value) => ({ id, value }))
    await patiently(() => records.setMany(some))
  }
}

/** The ids behind a cursor. Fails for a walk that does not end. */
async function rest(records: Records<number>, cursor: string | undefined): Promise<Set<string>> {
  const found = new Set<string>()
  let from = cursor
  for (let pages = 0; pages < 1_000; pages++) {
    const cursorNow = from
    const { records: page, next } = await patiently(() =>
      records.scan({ cursor: cursorNow, limit: 200 }),
    )
    for (const { id } of page) found.add(id)
    if (next === undefined) return found
    from = next
  }
  throw new Error('The walk does not end.')
}

function missing(...found: ReadonlySet<string>[]): string[] {
  return ids.filter((id) => !found.some((one) => one.has(id)))
}

async function open(url: string): Promise<Store & AsyncDisposable> {
  const store = await openStore(url, { cwd: '/' })
  await until(() =>
    store
      .records('probe')
      .set('a', 1)
      .then(
        () => true,
        () => false,
      ),
  )
  return { ...store, [Symbol.asyncDispose]: () => store.close() }
}

test('damaged records and those of another type do not end a scan', async () => {
  await using redis = await startRedis()
  await using store = await open(redis.url)
  const records = store.records<number>('things')
  await records.set('sound', 1)
  await redis.command('SET', 'dragoman:things:half', '{"value":')
  await redis.command('SET', 'dragoman:things:text', '"value"')
  await redis.command('LPUSH', 'dragoman:things:list', '1')
  const { records: found } = await records.scan()
  expect(found.map(({ id }) => id)).toEqual(['sound'])
})

test('a scan loses nothing when the table of the server shrinks or grows between its pages', async () => {
  await using redis = await startRedis()
  await using store = await open(redis.url)
  const records = store.records<number>('things')
  await fill(records)
  const others = store.records<number>('others')
  const many = Array.from({ length: 40_000 }, (_, index) => ({ id: `other-${index}`, value: 0 }))
  for (let from = 0; from < many.length; from += 100) {
    await patiently(() => others.setMany(many.slice(from, from + 100)))
  }
  const first = await patiently(() => records.scan({ limit: 2_000 }))
  const cursor = first.records[Math.floor(first.records.length / 2)]?.cursor
  const seen = new Set(
    first.records.slice(0, Math.floor(first.records.length / 2) + 1).map(({ id }) => id),
  )
  expect(seen.size).toBeGreaterThan(0)
  expect(missing(seen, await rest(records, cursor))).toEqual([])
  for (let from = 0; from < many.length; from += 100) {
    const keys = many.slice(from, from + 100).map(({ id }) => `dragoman:others:${id}`)
    await redis.command('DEL', ...keys)
  }
  expect(missing(seen, await rest(records, cursor))).toEqual([])
})

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

test('a store that does not answer is an error of a scan, never its end', async () => {
  await using redis = await startRedis()
  await using store = await open(redis.url)
  const records = store.records<number>('things')
  await fill(records)
  const { next } = await patiently(() => records.scan({ limit: 500 }))
  redis.pause()
  await expect(records.scan({ cursor: next })).rejects.toThrow(StoreUnavailable)
  redis.resume()
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
