import { randomBytes } from 'node:crypto'

import type { Records, Store } from '../stores/store.ts'
import type { Principal } from './principal.ts'

/** The thing that an act is about. */
export interface AuditTarget {
  /** Such as `account`, `key`, `job`. */
  readonly type: string
  readonly id: string
}

/**
 * `STARTED`: the process ended before it wrote the result, so that the act may have happened or not.
 * `REFUSED`: the role does not permit it, or the credential was wrong. `FAILED`: nothing was changed.
 */
export type AuditResult = 'STARTED' | 'DONE' | 'FAILED' | 'REFUSED'

/** An act of an administrator, as it is stored. No member contains a secret. */
export interface AuditRecord {
  /** In milliseconds since 1970. */
  readonly at: number
  /** Absent for a sign-in that was refused. */
  readonly actor?: Pick<Principal, 'kind' | 'id' | 'role'>
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
}

/** A record with its id. */
export interface AuditEntry extends AuditRecord {
  readonly id: string
}

/** What an act turned out to be. */
type AuditEnd = Pick<AuditRecord, 'result' | 'message' | 'before' | 'after'>

/** The acts of administrators. Every call rejects with `StoreUnavailable` when the store fails. */
export interface AuditLog {
  /**
   * Writes the record of an act before it happens; the returned function writes its result. An act
   * whose record cannot be written must not happen.
   */
  begin(act: Omit<AuditRecord, 'at' | 'result'>): Promise<(end: AuditEnd) => Promise<void>>
  /** Writes the record of an act that is over. */
  note(act: Omit<AuditRecord, 'at'>): Promise<void>
  /** A page of entries behind the entry `after`, the newest first. */
  list(page: { after?: string | undefined; limit: number }): Promise<AuditEntry[]>
}

/** How long a record is stored: 400 days, in milliseconds. */
const storedMs = 400 * 24 * 60 * 60_000

/** Options of `createAuditLog`. */
interface AuditOptions {
  readonly store: Pick<Store, 'records'>
  /** Milliseconds since 1970. */
  readonly now?: () => number
  /** Called with each record that is written. */
  readonly onRecord?: (entry: AuditEntry) => void
}

/** Opens the audit log in a store. */
export function createAuditLog({ store, now = Date.now, onRecord }: AuditOptions): AuditLog {
  const records: Records<AuditRecord> = store.records('audit', { listed: true })

  async function write(id: string, record: AuditRecord): Promise<void> {
    await records.set(id, record, { ttlMs: storedMs })
    onRecord?.({ id, ...record })
  }

  return {
    async begin(act) {
      const record = { ...act, at: now() }
      const id = auditId(record.at)
      await write(id, { ...record, result: 'STARTED' })
      return (end) => write(id, { ...record, ...end })
    },
    note: (act) => {
      const at = now()
      return write(auditId(at), { ...act, at })
    },
    async list({ after, limit }) {
      const page = await records.list({
        limit,
        newestFirst: true,
        ...(after !== undefined && { after }),
      })
      return page.flatMap(({ id, value }) => (value ? [{ id, ...value }] : []))
    },
  }
}

/** Ids in the order of time: milliseconds since 1970 with leading zeros, then random digits. */
function auditId(at: number): string {
  return `${String(at).padStart(15, '0')}-${randomBytes(6).toString('hex')}`
}
