import { hash, randomBytes } from 'node:crypto'

import { z } from 'zod'

import { readSecretKeys } from '../configuration/secret-keys.ts'
import type { Records, Store } from '../stores/store.ts'
import { type SealState, createAuditSealer, firstMembersOf } from './seal.ts'
import type { Role } from '../contract/roles.ts'

/** The thing that an act is about. */
export interface AuditTarget {
  /** Such as `account`, `key`, `job`. */
  readonly type: string
  readonly id: string
}

/**
 * `STARTED`: the process ended before it wrote the result, so that the act may have happened or not.
 * `REFUSED`: the role does not permit it, or the credential was wrong. `FAILED`: nothing was changed, unless
 * `message` says otherwise.
 */
type AuditResult = 'STARTED' | 'DONE' | 'FAILED' | 'REFUSED'

/** How an actor has proven who it is. `process`: the gateway itself or its command line. */
export const actorKinds = ['token', 'session', 'process'] as const

/** Who acts. */
export interface Actor {
  readonly kind: (typeof actorKinds)[number]
  /** The id of the token, also of the one that a session began with. */
  readonly id: string
  readonly role: Role
}

/** An act of an administrator, as it is stored. No member contains a secret. */
export interface AuditRecord {
  /** In milliseconds since 1970. */
  readonly at: number
  /** Absent for a sign-in that was refused. */
  readonly actor?: Actor
  /** The address of the client; `''` for a command. */
  readonly address: string
  /** The client's `user-agent`, cut off. */
  readonly agent: string
  /** The noun and the verb: `account.disable`. */
  readonly action: string
  readonly target: AuditTarget
  readonly reason?: string
  readonly requestId?: string
  readonly result: AuditResult
  /** Why it was refused or failed, in words for operators. */
  readonly message?: string
  /** The changed fields, secrets as `changed`. */
  readonly before?: Readonly<Record<string, unknown>>
  readonly after?: Readonly<Record<string, unknown>>
  /** How many refusals, or acts with the same failure, of a minute it stands for. Absent: one. */
  readonly count?: number
  /**
   * `hashOf` the record that the same process wrote before. Absent: its first one. A record
   * that is removed or inserted breaks the chain.
   */
  readonly prev?: string
  /** See `AuditSealer.seal`. Absent in records of earlier versions. */
  readonly seal?: string
}

/** A record with its id. */
export interface AuditEntry extends AuditRecord {
  readonly id: string
}

/** What an act turned out to be. */
type AuditEnd = Pick<AuditRecord, 'result' | 'message' | 'before' | 'after' | 'count'>

/** An act before it is written. */
type NewRecord = Omit<AuditRecord, 'at' | 'prev' | 'seal' | 'result'>

/** An entry of a page. A damaged one has no node. */
interface AuditPosition {
  readonly cursor: string
  readonly node: AuditEntry | undefined
}

/** The acts of administrators. Every call rejects with `StoreUnavailable` when the store fails. */
export interface AuditLog {
  /**
   * Writes the record of an act before it happens; the returned function writes its result, also again for
   * another one. An act whose record cannot be written must not happen.
   */
  begin(act: NewRecord): Promise<(end: AuditEnd) => Promise<void>>
  /** Writes the record of an act that is over. The returned function changes its count. */
  note(act: NewRecord & Pick<AuditRecord, 'result'>): Promise<(count: number) => Promise<void>>
  /** A page of entries behind the entry `after`, the newest first, without damaged ones. */
  list(page: Omit<AuditPage, 'newestFirst'>): Promise<AuditEntry[]>
  /** A page of positions behind the id `after`. Fewer than `limit` are the end of the log. */
  positions(page: AuditPage): Promise<AuditPosition[]>
  /** Whether an entry is as it was written. */
  check(entry: AuditEntry): SealState
}

/** A page of the log. */
interface AuditPage {
  readonly after?: string | undefined
  readonly limit: number
  readonly newestFirst?: boolean
}

/** How long a record is stored: 400 days, in milliseconds. */
const storedMs = 400 * 24 * 60 * 60_000

/** Options of `createAuditLog`. */
interface AuditOptions {
  readonly store: Pick<Store, 'records'>
  /** Milliseconds since 1970. */
  readonly now?: () => number
  /** The texts of the keys that seal records, the newest first. Default: the keys of `DRAGOMAN_SECRET_KEY`. */
  readonly keys?: readonly string[]
  /** Called with each record that is written. */
  readonly onRecord?: (entry: AuditEntry) => void
}

/** Opens the audit log in a store. */
export function createAuditLog({
  store,
  now = Date.now,
  keys = readSecretKeys(process.env, []),
  onRecord,
}: AuditOptions): AuditLog {
  const sealer = createAuditSealer(keys)
  const records: Records<AuditRecord> = store.records('audit', { listed: true })
  let last: string | undefined
  let queue: Promise<unknown> = Promise.resolve()

  async function write(entry: AuditEntry): Promise<void> {
    const sealed = { ...entry, seal: sealer.seal(entry) }
    const { id, ...record } = sealed
    await records.set(id, record, { ttlMs: storedMs })
    onRecord?.(sealed)
  }

  /** One after another: each record names the one before. */
  function append(record: Omit<AuditRecord, 'at' | 'prev'>): Promise<AuditEntry> {
    const appended = queue.then(async () => {
      const at = now()
      const entry = { ...bounded(record), id: auditId(at), at, ...(last && { prev: last }) }
      await write(entry)
      last = hashOf(entry)
      return entry
    })
    queue = appended.catch(() => {})
    return appended
  }

  async function positions({
    after,
    limit,
    newestFirst = false,
  }: AuditPage): Promise<AuditPosition[]> {
    const page = await records.list({ limit, newestFirst, ...(after !== undefined && { after }) })
    return page.map(({ id, value }) => ({
      cursor: id,
      node: isRecord(value) ? { id, ...value } : undefined,
    }))
  }

  return {
    positions,
    check: (entry) => sealer.check(entry),
    async list(page) {
      const found = await positions({ ...page, newestFirst: true })
      return found.flatMap(({ node }) => node ?? [])
    },
    async begin(act) {
      const entry = await append({ ...act, result: 'STARTED' })
      return (end) => write({ ...entry, ...boundedEnd(end) })
    },
    async note(act) {
      const entry = await append(act)
      return (count) => write({ ...entry, count })
    },
  }
}

/**
 * The hash of what a record says when it is first written: SHA-256, in base64url, of the JSON list of these
 * members, null where one is absent. Its result and changes come later: its seal covers them.
 */
function hashOf(entry: AuditEntry): string {
  const text = JSON.stringify(firstMembersOf(entry).map((member) => member ?? null))
  return hash('sha256', text, 'base64url')
}

/** The ids of all records since a time are greater than this text, and all others less. */
export function firstIdOf(at: number): string {
  return String(Math.max(0, Math.ceil(at))).padStart(15, '0')
}

/** The form of the ids of records. */
export const auditIdForm = /^\d{15,16}-[\da-f]{12}$/

let sequence = 0

/**
 * Ids in the order of time: milliseconds since 1970 with leading zeros, then a number for records of one
 * process in the same millisecond, and random digits.
 */
function auditId(at: number): string {
  sequence = (sequence + 1) % 0x1_00_00
  return `${firstIdOf(at)}-${sequence.toString(16).padStart(4, '0')}${randomBytes(4).toString('hex')}`
}

/** In characters: longer texts of clients would only fill the store. */
const longestText = 500

function bounded<R extends Omit<AuditRecord, 'at' | 'prev'>>(record: R): R {
  const { target, reason } = record
  return {
    ...record,
    target: { type: target.type.slice(0, longestText), id: target.id.slice(0, longestText) },
    ...(reason !== undefined && { reason: reason.slice(0, longestText) }),
  }
}

/** In characters of JSON. A key may have thousands of models. */
const longestChanges = 16_384

function boundedEnd({ message, before, after, ...end }: AuditEnd): AuditEnd {
  return {
    ...end,
    ...(message !== undefined && { message: message.slice(0, longestText) }),
    ...(before && { before: boundedChanges(before) }),
    ...(after && { after: boundedChanges(after) }),
  }
}

function boundedChanges(changes: NonNullable<AuditEnd['before']>): AuditEnd['before'] & object {
  const isLong = JSON.stringify(changes).length > longestChanges
  return isLong ? { tooLong: Object.keys(changes) } : changes
}

const text = z.string()
const changes = z.record(text, z.unknown()).optional()
const recordSchema = z.object({
  at: z.number().max(8.64e15).nonnegative(),
  actor: z.object({ kind: text, id: text, role: text }).optional(),
  address: text,
  agent: text,
  action: text,
  target: z.object({ type: text, id: text }),
  reason: text.optional(),
  requestId: text.optional(),
  result: z.enum(['STARTED', 'DONE', 'FAILED', 'REFUSED']),
  message: text.optional(),
  before: changes,
  after: changes,
  count: z.int().positive().max(2_147_483_647).optional(),
  prev: text.optional(),
  seal: text.optional(),
})

/** Whether a record can be shown: the store may contain anything. */
function isRecord(value: AuditRecord | undefined): value is AuditRecord {
  return recordSchema.safeParse(value).success
}
