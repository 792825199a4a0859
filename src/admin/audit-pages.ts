import { type AuditEntry, type AuditLog, firstIdOf } from '../audit/log.ts'
import type { Page, PageArguments } from './connections.ts'
import { listPage } from './list-page.ts'

/** The entries that a page shows. Absent members: all. */
export interface AuditFilter {
  /** The first moment, in milliseconds since 1970. */
  readonly from?: number | null | undefined
  /** The moment behind the last. */
  readonly to?: number | null | undefined
  /** The id of an actor. */
  readonly actor?: string | null | undefined
  /** `key.rotate`, or a noun: `key`. */
  readonly action?: string | null | undefined
  /** The id of a target. */
  readonly target?: string | null | undefined
}

/** Reads a page of the audit log, the newest entries first. Rejects with `StoreUnavailable`. */
export async function listAudit(
  audit: Pick<AuditLog, 'positions'>,
  page: PageArguments,
  filter: AuditFilter,
  signal?: AbortSignal,
): Promise<Page<AuditEntry>> {
  const least = firstIdOf(filter.from ?? 0)
  const end = typeof filter.to === 'number' ? firstIdOf(filter.to) : undefined
  const reading = {
    async list({ after, limit }: { after: string | undefined; limit: number }) {
      const start = earlier(after, end)
      const entries = await audit.positions({ after: start, limit, newestFirst: true })
      return entries.filter(({ cursor }) => cursor > least)
    },
    ...(hasNames(filter) && { matches: (entry: AuditEntry) => matches(entry, filter) }),
  }
  return listPage<AuditEntry>(page, reading, signal)
}

function earlier(one: string | undefined, other: string | undefined): string | undefined {
  return one === undefined || (other !== undefined && other < one) ? other : one
}

function hasNames({ actor, action, target }: AuditFilter): boolean {
  return [actor, action, target].some((name) => typeof name === 'string')
}

function matches(entry: AuditEntry, { actor, action, target }: AuditFilter): boolean {
  return (
    isOrAny(actor, (id) => entry.actor?.id === id) &&
    isOrAny(action, (name) => entry.action === name || entry.action.startsWith(`${name}.`)) &&
    isOrAny(target, (id) => entry.target.id === id)
  )
}

function isOrAny(name: string | null | undefined, is: (name: string) => boolean): boolean {
  return name === undefined || name === null || is(name)
}
