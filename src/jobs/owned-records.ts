import { GatewayError } from '../contract/errors.ts'
import type { Log } from '../lib/log.ts'
import { storedSizeOf } from '../kit/stored-size.ts'
import { recordIdOf, recordPrefixOf } from '../stores/record-id.ts'
import { createRetryQueue } from '../stores/retry-queue.ts'
import { InvalidCursor, type Records, type WriteOptions } from '../stores/store.ts'
import { isJobId, mirrored } from './ids.ts'

/** A record of an API key. For other keys it does not exist. */
export interface Owned {
  /** Unique, see `newJobId`. */
  readonly id: string
  readonly keyId: string
  /** When the record expires, in seconds since 1970. Absent: never. */
  readonly expiresAt?: number | undefined
}

/** Records in a store, each under the API key that created it. `T` has the words that its key begins with. */
interface OwnedRecords<T extends Owned> {
  /**
   * Stores a record of something that an account has created already. Never rejects: a write that fails is queued in
   * memory and retried.
   */
  create(value: T): Promise<void>
  /**
   * `undefined` for an unknown or expired record, or one of another key. Rejects with
   * `lookup_unavailable` if the store does not answer.
   */
  find(id: string, owner: readonly string[]): Promise<T | undefined>
  /**
   * Changes the stored record, also while others change it: `change` may be called several times, and
   * returns the same object for no change. Resolves to the stored record, or `undefined` if it does not
   * exist any more. Rejects as `find` does.
   */
  update(value: T, change: (known: T) => T): Promise<T | undefined>
  /** A page of the records of an owner that have not expired and that `wants` accepts. Rejects as `find` does. */
  list(
    owner: readonly string[],
    page: RecordPage,
    wants?: (value: T) => boolean,
  ): Promise<RecordList<T>>
  /** Whether the record existed. Rejects as `find` does. */
  remove(value: T): Promise<boolean>
  /** A record that waits for the store. */
  unwritten(id: string): T | undefined
  /** The record behind a key, unless it has expired. */
  readLive(record: unknown, key: string): T | undefined
  /** The number of records that are queued for the store. */
  readonly waiting: number
  /** Tries once more to write the queued records. */
  close(): Promise<void>
}

/** A page of a list of records. */
export interface RecordPage {
  /** The id before the page. Its record may not exist any more. */
  readonly after?: string | undefined
  readonly limit: number
  /** By the time of their creation: `desc` is newest first. */
  readonly order: 'asc' | 'desc'
}

/** The records of a page. */
export interface RecordList<T> {
  readonly values: readonly T[]
  readonly hasMore: boolean
}

/** The options of `createOwnedRecords`. */
interface OwnedRecordsOptions<T extends Owned> {
  /** Records that are opened with `listed`. */
  readonly records: Records<T>
  readonly log: Pick<Log, 'error'>
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** The plural in messages: `Jobs`. */
  readonly noun: string
  /** The words that the key of a record begins with, the owner's key id among them. */
  ownerOf(value: T): readonly string[]
  /** Reads a record; `undefined` if it is none. */
  read(record: unknown, key: string): T | undefined
  /** Milliseconds until the store forgets a record. `undefined`: never. */
  keptMs(value: T): number | undefined
  /** Called with each record that is created, changed or removed. */
  changed?(value: T, isForgotten: boolean): void
}

/** The number of records in one read. */
const batch = 200

export function createOwnedRecords<T extends Owned>(
  options: OwnedRecordsOptions<T>,
): OwnedRecords<T> {
  const { records, log, now, noun, ownerOf, changed = () => {} } = options
  const optionsOf = (value: T): WriteOptions => {
    const ttlMs = options.keptMs(value)
    return ttlMs === undefined ? {} : { ttlMs: Math.max(1, ttlMs) }
  }
  const keyOf = (value: T) => keyIn(ownerOf(value), value.id)
  const write = (value: T) => records.set(keyOf(value), value, optionsOf(value))
  const waiting = createRetryQueue<T>({
    write,
    onLost: ({ id }) =>
      log.error(`a record of ${noun} is lost: its owner will not find it`, { id }),
  })

  const isLive = ({ expiresAt = Infinity }: T) => expiresAt * 1_000 > now()

  function readLive(record: unknown, key: string): T | undefined {
    const value = record === undefined ? undefined : options.read(record, key)
    return value && isLive(value) ? value : undefined
  }

  const answered = <A>(answer: Promise<A>) => orUnavailable(answer, noun)

  /** Live records in the order of their keys, newest first, from the first one after `from`. */
  async function* newestFirst(prefix: string, from: string): AsyncGenerator<T> {
    let after = from
    for (;;) {
      const entries = await answered(records.list({ after, limit: batch }))
      for (const { id, value } of entries) {
        if (!id.startsWith(prefix)) return
        const found = readLive(value, id)
        if (found) yield found
      }
      const last = entries.at(-1)
      if (!last || entries.length < batch) return
      after = last.id
    }
  }

  return {
    async create(value) {
      try {
        await write(value)
      } catch (error) {
        log.error(`writing a record of ${noun} failed; it will be retried`, {
          id: value.id,
          error: String(error),
        })
        waiting.put(value.id, value, storedSizeOf(value))
      }
      changed(value, false)
    },
    async find(id, owner) {
      if (!isJobId(id)) return undefined
      const key = keyIn(owner, id)
      const value = waiting.get(id) ?? readLive(await answered(records.get(key)), key)
      return value && keyOf(value) === key && isLive(value) ? value : undefined
    },
    async update(value, change) {
      const unwritten = waiting.get(value.id)
      if (unwritten) {
        const next = change(unwritten)
        if (next === unwritten) return next
        waiting.put(value.id, next, storedSizeOf(next))
        changed(next, false)
        return next
      }
      const key = keyOf(value)
      let written: T | undefined
      const stored = await answered(
        records.update(key, (record) => {
          const known = options.read(record, key)
          const next = known && change(known)
          return (written = next === known ? undefined : next)
        }),
      )
      if (written && stored) changed(written, false)
      return stored === undefined ? undefined : options.read(stored, key)
    },
    async list(owner, { after, limit, order }, wants = () => true) {
      const wanted = limit + 1
      const found: T[] = []
      const prefix = recordPrefixOf(owner)
      if (order === 'desc') {
        const from = after === undefined ? prefix : keyIn(owner, after)
        for await (const value of newestFirst(prefix, from)) {
          if (wants(value) && found.push(value) === wanted) break
        }
      } else {
        // The store lists in one direction only, so that the oldest records come last.
        for await (const value of newestFirst(prefix, prefix)) {
          if (after !== undefined && value.id <= after) break
          if (wants(value)) found.unshift(value)
          if (found.length > wanted) found.pop()
        }
      }
      return { values: found.slice(0, limit), hasMore: found.length > limit }
    },
    async remove(value) {
      const isWaiting = waiting.delete(value.id) !== undefined
      const isStored = await answered(records.delete(keyOf(value)))
      const existed = isWaiting || isStored
      if (existed) changed(value, true)
      return existed
    },
    unwritten: (id) => waiting.get(id),
    readLive,
    get waiting() {
      return waiting.size
    },
    close: () => waiting.close(),
  }
}

/** Keys sort the newest record first, as nearly all lists do. */
function keyIn(owner: readonly string[], id: string): string {
  return recordIdOf(owner, mirrored(id))
}

/** A failure of the store as `lookup_unavailable`. */
export function unavailable(cause: unknown, noun: string): unknown {
  if (GatewayError.isInstance(cause) || cause instanceof InvalidCursor) return cause
  return new GatewayError('lookup_unavailable', `${noun} cannot be looked up at the moment.`, {
    headers: { 'retry-after-ms': '250' },
    cause,
  })
}

/** The answer of a store. Rejects with `lookup_unavailable` if the store does not answer. */
export async function orUnavailable<A>(answer: Promise<A>, noun: string): Promise<A> {
  try {
    return await answer
  } catch (cause) {
    throw unavailable(cause, noun)
  }
}
