import { GatewayError } from '../contract/errors.ts'
import { nextTurn } from '../lib/turns.ts'
import { openCursor, sealCursor } from '../stores/cursor.ts'
import { recordPrefixOf } from '../stores/record-id.ts'
import type { ListedRecord, Records } from '../stores/store.ts'
import { mirrored } from './ids.ts'
import type { Job } from './job.ts'

/** A page of the jobs of all keys. */
export interface JobWalk {
  /** The cursor of a job, or the `next` of a page. Absent: at the first job. */
  readonly cursor?: string | undefined
  /** Only the jobs of this key. */
  readonly keyId?: string | undefined
  /** The most records that the page examines. */
  readonly limit: number
}

/** Jobs of all keys, in the order of the keys' ids, of each key the newest first. */
export interface WalkedJobs {
  readonly jobs: readonly { readonly job: Job; readonly cursor: string }[]
  /** The number of records that were examined. */
  readonly examined: number
  /** The cursor behind the page. Absent: nothing follows. */
  readonly next?: string
}

/** The parts of `createJobs` that the walks need. */
interface WalkOptions {
  readonly records: Pick<Records<Job>, 'list' | 'get'>
  /** The job in a record, unless it has expired. */
  readonly readLive: (record: unknown, key: string) => Job | undefined
}

/** A page of jobs of all keys. Rejects with `InvalidCursor` and as the records do. */
export async function walkJobs(
  { records, readLive }: WalkOptions,
  { cursor, keyId, limit }: JobWalk,
): Promise<WalkedJobs> {
  const prefix = keyId === undefined ? '' : recordPrefixOf([keyId])
  const [after = ''] = cursor === undefined ? [] : openCursor(cursor, 1)
  const jobs: WalkedJobs['jobs'][number][] = []
  const from = isBefore(after, prefix) ? prefix : after
  const found = await records.list({ ...(from !== '' && { after: from }), limit: limit + 1 })
  for (const [index, { id, value }] of found.entries()) {
    if (!id.startsWith(prefix)) return { jobs, examined: index }
    if (index === limit) return { jobs, examined: index, next: sealCursor([lastOf(found, index)]) }
    const job = readLive(value, id)
    if (job) jobs.push({ job, cursor: sealCursor([id]) })
  }
  return { jobs, examined: found.length }
}

function lastOf(found: readonly ListedRecord<Job>[], index: number): string {
  return found[index - 1]?.id ?? ''
}

/** In the order of lists. */
function isBefore(one: string, other: string): boolean {
  return Buffer.compare(Buffer.from(one), Buffer.from(other)) < 0
}

/** Keys that `findAnyJob` asks. */
const mostKeys = 1_000

/** Behind all ids of a key's jobs. */
const lastDigit = '{'

/**
 * The job of an id, for any key: looks for it under each key that has jobs. Rejects with
 * `lookup_unavailable` if more than 1,000 keys have some, with the reason of the signal, and as the records do.
 */
export async function findAnyJob(
  { records, readLive }: WalkOptions,
  id: string,
  signal?: AbortSignal,
): Promise<Job | undefined> {
  let after = ''
  for (let keys = 0; keys < mostKeys; keys++) {
    const [first] = await records.list({ ...(after !== '' && { after }), limit: 1 })
    if (!first) return undefined
    const prefix = first.id.slice(0, first.id.indexOf(' ') + 1)
    const key = prefix + mirrored(id)
    const record = first.id === key ? first.value : await records.get(key)
    if (record !== undefined) return readLive(record, key)
    after = prefix === '' ? first.id : prefix + lastDigit
    // Some stores read at once, and the loop has other work.
    await nextTurn()
    signal?.throwIfAborted()
  }
  throw new GatewayError('lookup_unavailable', 'Too many keys have jobs: name the key of the job.')
}
