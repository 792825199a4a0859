import { isDeepStrictEqual } from 'node:util'

import type { NamedWork } from '../contract/call.ts'
import type { Candidate } from '../contract/candidate.ts'
import type { GatewayError } from '../contract/errors.ts'
import type { Authenticated, Understood } from '../contract/exchange.ts'
import { isSegment } from '../kit/account-path.ts'
import { isTraceparent } from '../lib/traceparent.ts'
import { type JsonObject, isObject } from '../lib/json/object.ts'
import { stringAt } from '../lib/json/read.ts'
import type { Log } from '../lib/log.ts'
import type { Records } from '../stores/store.ts'
import { type RecordWalk, type WalkedRecords, findAnyRecord, walkRecords } from './all-records.ts'
import { isJobId, mirrored, newJobId } from './ids.ts'
import {
  type Owned,
  type RecordList,
  type RecordPage,
  createOwnedRecords,
  orUnavailable,
} from './owned-records.ts'

/** The kinds of objects. Each is a list of its own. */
export type ObjectKind =
  | 'file'
  | 'batch'
  | 'upload'
  | 'upload-part'
  | 'anthropic-file'
  | 'message-batch'
  | 'cached-content'

/** Something that an account stores for an API key: a file, a batch, an upload, a cache. */
export interface StoredObject extends Owned {
  readonly kind: ObjectKind
  readonly accountId: string
  /** The dialect in which the account has created it. */
  readonly dialect: string
  /** The account's id of it. */
  readonly upstreamId: string
  /** In seconds since 1970. */
  readonly createdAt: number
  /** As the account has last described it, with ids of the gateway alone. */
  readonly shown: JsonObject
  /** The work that a batch, or a file of one, orders. Absent: it orders none. */
  readonly work?: NamedWork
  /** Whether the account changes it no more. */
  readonly isOver?: true
  /** The id of the object that it is a part of. */
  readonly partOf?: string
  /** The trace of the exchange that created it, as a `traceparent`. */
  readonly trace?: string
}

/** The objects in a store, each under the API key that created it. See `OwnedRecords`. */
export interface Objects {
  create(object: StoredObject): Promise<void>
  find(kind: ObjectKind, id: string, keyId: string): Promise<StoredObject | undefined>
  /** Writes nothing where the changed object equals the stored one. */
  update(
    object: StoredObject,
    change: (known: StoredObject) => StoredObject,
  ): Promise<StoredObject | undefined>
  list(
    kind: ObjectKind,
    keyId: string,
    page: RecordPage,
    wants?: (object: StoredObject) => boolean,
  ): Promise<RecordList<StoredObject>>
  remove(object: StoredObject): Promise<boolean>
  /** A page of the objects of a kind of all keys. Rejects with `InvalidCursor` and as `find` does. */
  walk(kind: ObjectKind, page: RecordWalk): Promise<WalkedRecords<StoredObject>>
  /** An object of any key. Rejects as `find` does, also if too many keys have such objects. */
  findAny(kind: ObjectKind, id: string, signal?: AbortSignal): Promise<StoredObject | undefined>
  /** See `Jobs.onChange`. */
  onChange: ((object: StoredObject, isForgotten: boolean) => void) | undefined
  /** The number of objects that are queued for the store. */
  readonly waiting: number
  /** Tries once more to write the queued objects. */
  close(): Promise<void>
}

/** The namespace of the records of objects. */
export const objectsNamespace = 'objects'

/** The options of `createObjects`. */
interface ObjectsOptions {
  /** Records that are opened with `listed`. */
  readonly records: Records<StoredObject>
  readonly log: Pick<Log, 'error'>
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

export function createObjects({ records, log, now = Date.now }: ObjectsOptions): Objects {
  const noun = 'Stored objects'
  const owned = createOwnedRecords<StoredObject>({
    records,
    log,
    now,
    noun,
    ownerOf: ({ kind, keyId }) => [kind, keyId],
    read: (record) => (isStoredObject(record) ? record : undefined),
    keptMs: ({ expiresAt }) => (expiresAt === undefined ? undefined : expiresAt * 1_000 - now()),
    changed: (object, isForgotten) => objects.onChange?.(object, isForgotten),
  })
  const objects: Objects = {
    create: (object) => owned.create(object),
    find: (kind, id, keyId) => owned.find(id, [kind, keyId]),
    update: (object, change) =>
      owned.update(object, (known) => {
        const next = change(known)
        return isDeepStrictEqual(next, known) ? known : next
      }),
    list: (kind, keyId, page, wants) => owned.list([kind, keyId], page, wants),
    remove: (object) => owned.remove(object),
    walk: (kind, page) =>
      orUnavailable(walkRecords({ records, readLive: owned.readLive, kind: [kind] }, page), noun),
    async findAny(kind, id, signal) {
      if (!isJobId(id)) return undefined
      const unwritten = owned.unwritten(id)
      if (unwritten) return unwritten.kind === kind ? unwritten : undefined
      const walk = { records, readLive: owned.readLive, kind: [kind] }
      return orUnavailable(findAnyRecord(walk, mirrored(id), signal), noun)
    },
    get waiting() {
      return owned.waiting
    },
    onChange: undefined,
    close: () => owned.close(),
  }
  return objects
}

/** Another program may have written the record. */
function isStoredObject(record: unknown): record is StoredObject {
  if (!isObject(record)) return false
  const { id, kind, keyId, accountId, dialect, upstreamId, createdAt, expiresAt = 1 } = record
  return (
    [id, kind, keyId, accountId, dialect, upstreamId].every((one) => typeof one === 'string') &&
    isJobId(id as string) &&
    [createdAt, expiresAt].every(Number.isSafeInteger) &&
    isObject(record['shown']) &&
    (record['work'] === undefined || isWorkOf(record['work']))
  )
}

function isWorkOf(work: unknown): work is NamedWork {
  if (!isObject(work) || !Array.isArray(work['models'])) return false
  const { models, inputTokens, longestPrompt, outputTokens, unbounded } = work
  return (
    models.every((one) => stringAt(one, 'model') !== undefined) &&
    [inputTokens, longestPrompt, outputTokens, unbounded].every(Number.isSafeInteger)
  )
}

/** What an account says of an object that it has created. */
export interface CreatedObject extends Pick<
  StoredObject,
  'kind' | 'upstreamId' | 'shown' | 'work' | 'partOf'
> {
  /** In seconds since 1970. */
  readonly expiresAt?: number | undefined
}

/** The object that an account has created. `now`: milliseconds since 1970. */
export function newObject(
  { caller, progress }: Pick<Authenticated, 'caller' | 'progress'>,
  { account, dialect }: Pick<Candidate, 'account' | 'dialect'>,
  { expiresAt, ...created }: CreatedObject,
  now: number,
): StoredObject {
  const { traceparent } = progress.trace ?? {}
  return {
    id: newJobId(now),
    keyId: caller.keyId,
    accountId: account.id,
    dialect: dialect.id,
    createdAt: Math.floor(now / 1_000),
    ...created,
    ...(expiresAt !== undefined && { expiresAt }),
    ...(isTraceparent(traceparent) && { trace: traceparent }),
  }
}

/** The caller's object. Throws `notFound()` for one that is unknown, expired or of another key. */
export async function ownObject(
  exchange: Authenticated,
  objects: Pick<Objects, 'find'>,
  [kind, id]: readonly [ObjectKind, string],
  notFound: () => GatewayError,
): Promise<StoredObject> {
  const object = await objects.find(kind, id, exchange.caller.keyId)
  if (!object) throw notFound()
  exchange.progress.trace?.linkTo(object.trace, 'refers_to')
  return object
}

/** In characters. Longer ids make a reply invalid. */
const longestId = 512

/** Whether an account's id can be a part of later paths. */
export function isUsableId(id: string | undefined): id is string {
  return id !== undefined && id.length <= longestId && id.isWellFormed() && isSegment(id)
}

/** The largest description of an object that is stored, as text: an account may write any. */
const longestShown = 64 * 1024

/** The members of an account's description of an object that are stored; of a very large one the small members. */
export function shownOf(json: JsonObject): JsonObject {
  if (JSON.stringify(json).length <= longestShown) return json
  const small = Object.entries(json).filter(([, value]) => JSON.stringify(value).length <= 1_024)
  return Object.fromEntries(small.slice(0, 50))
}

/** Records the object that an exchange orders work with, for plugins such as the access log. */
export function recordWork(
  { progress, model }: Pick<Understood, 'progress' | 'model'>,
  { id, accountId, isOver }: Pick<StoredObject, 'id' | 'accountId' | 'isOver'>,
): void {
  const status = isOver ? 'completed' : 'in_progress'
  progress.job = { id, account: accountId, model, status, stale: false }
}
