import type { ListOrder, RecordsAdapter, StoredValue } from '../adapter.ts'
import { keyvRecords } from '../keyv-records.ts'
import type { Counters, Store } from '../store.ts'
import { openRedisBus } from './bus.ts'
import { type RedisConnection, connectRedis, isWrongType } from './connect.ts'
import { redisMeter } from './meter.ts'
import { redisLedger } from './ledger.ts'
import { scanRecords } from './scan.ts'
import {
  addScript,
  countScript,
  deleteIfScript,
  deleteScript,
  forgetScript,
  replaceScript,
  setScript,
} from './scripts.ts'
import type { RedisAddress } from './url.ts'

/**
 * A store that many replicas share. While Redis is unreachable, every call rejects by its deadline.
 * The store reconnects by itself.
 */
export async function openRedisStore(
  address: RedisAddress,
  onError: (error: unknown) => void,
): Promise<Store> {
  const connection = await connectRedis(address, onError)
  return {
    records(namespace, options) {
      const keys = keysOf(address.prefix, namespace, options?.listed ?? false)
      return keyvRecords(namespace, redisAdapter(connection, keys), options)
    },
    counters: (namespace) => redisCounters(connection, `${address.prefix}${namespace}#count:`),
    meter: () => redisMeter(connection, address.prefix),
    ledger: () => redisLedger(connection, `${address.prefix}{ledger}`),
    openBus: (_self, onBusError) => openRedisBus(address, onBusError),
    close: () => connection.close(),
  }
}

/** The Redis keys of a namespace. The keys of a listed namespace share a hash tag: one node of a cluster. */
interface Keys {
  /** The text before the id of each record. */
  readonly base: string
  record(id: string): string
  readonly index: string | undefined
  readonly version: string
}

function keysOf(prefix: string, namespace: string, listed: boolean): Keys {
  const base = listed ? `${prefix}{${namespace}}` : `${prefix}${namespace}`
  return {
    base: `${base}:`,
    record: (id) => `${base}:${id}`,
    index: listed ? `${base}#ids` : undefined,
    version: `${base}#version`,
  }
}

function redisAdapter(connection: RedisConnection, keys: Keys): RecordsAdapter {
  const { index, version } = keys
  const get = async (id: string) => {
    const key = keys.record(id)
    const found = connection.keyv((records) => records.get(key))
    return text(await found.catch((error: unknown) => (isWrongType(error) ? notText : fail(error))))
  }
  /** The client sends the commands of one turn together: a cluster has the keys on different servers. */
  const getMany = (ids: readonly string[]) => Promise.all(ids.map(get))

  const run = async (script: string, id: string, ...values: string[]): Promise<boolean> => {
    const all = index === undefined ? [keys.record(id)] : [keys.record(id), index, version]
    const command = ['EVAL', script, String(all.length), ...all, ...values, id]
    return (await connection.send(all[0] as string, 'write', command)) === 1
  }

  const set = async (id: string, envelope: string, ttlMs?: number): Promise<void> => {
    if (index !== undefined) {
      await run(setScript, id, envelope, formatTtl(ttlMs))
      return
    }
    const lifetime = ttlMs === undefined ? undefined : wholeTtl(ttlMs)
    await connection.keyv((records) => records.set(keys.record(id), envelope, lifetime))
  }

  /** Cleans the index of expired records, which would slow down each list a little more. */
  function forget(ids: readonly string[]): void {
    if (index === undefined || ids.length === 0) return
    const all = [index, ...ids.map((id) => keys.record(id))]
    const command = ['EVAL', forgetScript, String(all.length), ...all, ...ids]
    // The next list tries again.
    void connection.send(index, 'write', command).catch(() => {})
  }

  /** In one command, which costs less than many: the keys of a listed namespace are on one server. */
  async function readListed(ids: readonly string[]): Promise<(string | undefined)[]> {
    if (ids.length === 0) return []
    const all = ids.map((id) => keys.record(id))
    const command = ['MGET', ...all]
    const values = (await connection.send(all[0] as string, 'read', command)) as unknown[]
    // A missing record, and one that is no string.
    return Promise.all(
      values.map(async (value, position) => text(value) ?? (await get(ids[position] as string))),
    )
  }

  async function page(
    after: string | undefined,
    limit: number,
    order: ListOrder = 'ascending',
  ): Promise<StoredValue[]> {
    const [first, last, ...reversed] = order === 'ascending' ? ['-', '+'] : ['+', '-', 'REV']
    const from = after === undefined ? first : `(${after}`
    const bounds = [from, last, 'BYLEX', ...reversed]
    const command = ['ZRANGE', index ?? '', ...bounds, 'LIMIT', '0', String(limit)]
    const ids = (await connection.send(index ?? '', 'read', command)) as string[]
    const envelopes = await readListed(ids)
    forget(ids.filter((_, position) => envelopes[position] === undefined))
    return ids.map((id, position) => ({ id, envelope: envelopes[position] ?? '' }))
  }

  return {
    get,
    getMany,
    set,
    async setMany(entries) {
      await Promise.all(entries.map(({ id, envelope, ttlMs }) => set(id, envelope, ttlMs)))
    },
    add: (id, envelope, ttlMs) => run(addScript, id, envelope, formatTtl(ttlMs)),
    replace: (id, expected, envelope) => run(replaceScript, id, expected, envelope),
    delete: (id) =>
      index === undefined
        ? connection.keyv((records) => records.delete(keys.record(id)))
        : run(deleteScript, id),
    deleteIf: (id, expected) => run(deleteIfScript, id, expected),
    async clear() {
      for (
        let rest = await page(undefined, 500);
        rest.length > 0;
        rest = await page(undefined, 500)
      ) {
        for (const { id } of rest) {
          if (!(await run(deleteScript, id)) && index !== undefined) {
            await connection.send(index, 'write', ['ZREM', index, id])
          }
        }
      }
    },
    async range(after, limit, order) {
      const found: StoredValue[] = []
      let last = after
      let size = limit
      // The index still contains expired records, so this reads pages until enough are live.
      for (;;) {
        const next = await page(last, size, order)
        found.push(...next.filter(({ envelope }) => envelope !== ''))
        last = next.at(-1)?.id
        if (next.length < size || found.length >= limit) return found.slice(0, limit)
        size = Math.max(limit, expiredPage)
      }
    },
    scan: (options) => scanRecords(connection, keys, options),
    version: async () => text(await connection.send(version, 'read', ['GET', version])) ?? '0',
  }
}

function redisCounters(connection: RedisConnection, prefix: string): Counters {
  return {
    async add(id, by, options) {
      const key = prefix + id
      const command = ['EVAL', countScript, '1', key, String(by), formatTtl(options?.ttlMs)]
      const [sum, left] = (await connection.send(key, 'write', command)) as [unknown, unknown]
      const remainingMs = Number(left)
      return { total: Number(sum), remainingMs: remainingMs < 0 ? Infinity : remainingMs }
    },
    get: async (id) =>
      Number((await connection.send(prefix + id, 'read', ['GET', prefix + id])) ?? 0),
  }
}

/** The ids that a list reads at once when it finds expired records. */
const expiredPage = 500

/** Stands for a record that is no string: it is no envelope. */
const notText = '(not a string)'

function fail(error: unknown): never {
  throw error
}

/** A time to live in whole milliseconds, as Redis requires; '' for none. */
function formatTtl(ttlMs: number | undefined): string {
  return ttlMs === undefined ? '' : String(wholeTtl(ttlMs))
}

function wholeTtl(ttlMs: number): number {
  return Math.max(1, Math.ceil(ttlMs))
}

function text(answer: unknown): string | undefined {
  return typeof answer === 'string' ? answer : undefined
}
