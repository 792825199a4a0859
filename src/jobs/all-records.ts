import { GatewayError } from '../contract/errors.ts'
import { nextTurn } from '../lib/turns.ts'
import { openCursor, sealCursor } from '../stores/cursor.ts'
import { recordPrefixOf } from '../stores/record-id.ts'
import type { ListedRecord, Records } from '../stores/store.ts'

/** A page of the records of all keys. */
export interface RecordWalk {
  /** The cursor of a record, or the `next` of a page. Absent: at the first record. */
  readonly cursor?: string | undefined
  /** Only the records of this key. */
  readonly keyId?: string | undefined
  /** The most records that the page examines. */
  readonly limit: number
}

/** Records of all keys, in the order of the keys' ids, of each key the newest first. */
export interface WalkedRecords<T> {
  readonly found: readonly { readonly value: T; readonly cursor: string }[]
  /** The number of records that were examined. */
  readonly examined: number
  /** The cursor behind the page. Absent: nothing follows. */
  readonly next?: string
}

/** The records of owners, as far as walks need them. */
interface WalkOptions<T> {
  readonly records: Pick<Records<T>, 'list' | 'get'>
  /** The words that stand before the owner's key in the keys of records. Absent: none. */
  readonly kind?: readonly string[]
  /** The value in a record, unless it has expired. */
  readonly readLive: (record: unknown, key: string) => T | undefined
}

/** A page of the records of all keys. Rejects with `InvalidCursor` and as the records do. */
export async function walkRecords<T>(
  { records, readLive, kind = [] }: WalkOptions<T>,
  { cursor, keyId, limit }: RecordWalk,
): Promise<WalkedRecords<T>> {
  const prefix = recordPrefixOf(keyId === undefined ? kind : [...kind, keyId])
  const [after = ''] = cursor === undefined ? [] : openCursor(cursor, 1)
  const found: { value: T; cursor: string }[] = []
  const from = isBefore(after, prefix) ? prefix : after
  const listed = await records.list({ ...(from !== '' && { after: from }), limit: limit + 1 })
  for (const [index, { id, value }] of listed.entries()) {
    if (!id.startsWith(prefix)) return { found, examined: index }
    if (index === limit)
      return { found, examined: index, next: sealCursor([lastOf(listed, index)]) }
    const live = readLive(value, id)
    if (live) found.push({ value: live, cursor: sealCursor([id]) })
  }
  return { found, examined: listed.length }
}

function lastOf<T>(found: readonly ListedRecord<T>[], index: number): string {
  return found[index - 1]?.id ?? ''
}

/** In the order of lists. */
function isBefore(one: string, other: string): boolean {
  return Buffer.compare(Buffer.from(one), Buffer.from(other)) < 0
}

/** Keys that `findAnyRecord` asks. */
const mostKeys = 1_000

/** Behind all ids of a key's records. */
const lastDigit = '{'

/**
 * The record with this id behind the words of its key, for any API key: looks for it under each one that has records. Rejects with
 * `lookup_unavailable` if more than 1,000 keys have some, with the reason of the signal, and as the records do.
 */
export async function findAnyRecord<T>(
  { records, readLive, kind = [] }: WalkOptions<T>,
  id: string,
  signal?: AbortSignal,
): Promise<T | undefined> {
  const start = recordPrefixOf(kind)
  let after = start
  for (let keys = 0; keys < mostKeys; keys++) {
    const [first] = await records.list({ ...(after !== '' && { after }), limit: 1 })
    if (!first?.id.startsWith(start)) return undefined
    const prefix = first.id.slice(0, first.id.indexOf(' ', start.length) + 1)
    const key = prefix + id
    const record = first.id === key ? first.value : await records.get(key)
    if (record !== undefined) return readLive(record, key)
    after = prefix === '' ? first.id : prefix + lastDigit
    // Some stores read at once, and the loop has other work.
    await nextTurn()
    signal?.throwIfAborted()
  }
  throw new GatewayError('lookup_unavailable', 'Too many keys have jobs: name the key of the job.')
}
