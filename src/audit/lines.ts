import { visibleJson } from '../lib/visible.ts'
import { type AuditEntry, type AuditLog, firstIdOf } from './log.ts'

/** The entries that an export holds in memory. */
const pageSize = 500

/** A range of time, in milliseconds since 1970. Absent: open. */
interface AuditRange {
  /** The first moment. */
  readonly from?: number | undefined
  /** The moment behind the last. */
  readonly to?: number | undefined
  /** The id of the last record: those behind it came later. */
  readonly last?: string | undefined
}

/** The lines of an export, page by page: a JSON object an entry, the oldest first. */
export async function* auditLines(
  audit: Pick<AuditLog, 'positions'>,
  range: AuditRange,
): AsyncGenerator<string> {
  for await (const entries of readAudit(audit, range)) {
    if (entries.length > 0)
      yield entries.map((entry) => `${visibleJson(JSON.stringify(entry))}\n`).join('')
  }
}

async function* readAudit(
  audit: Pick<AuditLog, 'positions'>,
  { from, to, last }: AuditRange,
): AsyncGenerator<readonly AuditEntry[]> {
  const end = to === undefined ? undefined : firstIdOf(to)
  let after = from === undefined ? undefined : firstIdOf(from)
  for (;;) {
    const page = await audit.positions({ after, limit: pageSize })
    const inRange = page.filter(
      ({ cursor }) => (end === undefined || cursor < end) && (last === undefined || cursor <= last),
    )
    yield inRange.flatMap(({ node }) => node ?? [])
    if (inRange.length < pageSize) return
    after = inRange.at(-1)!.cursor
  }
}

/** A time of an export: an ISO 8601 date, or a time with its zone. NaN: not valid. */
export function parseTime(text: string | null | undefined): number | undefined {
  if (text === null || text === undefined || text === '') return undefined
  // A `+` in a query stands for a space.
  const iso = text.replace(' ', '+')
  const form = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/
  return form.test(iso) ? Date.parse(iso) : Number.NaN
}
