import { formatUsd } from '../lib/usd.ts'
import { visibleJson } from '../lib/visible.ts'
import { type Ledger, cursorOf, firstCursorOf } from '../stores/ledger.ts'
import { type SumName, failureNames, tokenNames } from '../stores/ledger-sums.ts'
import { type TimeRange, sizeOf } from './parts.ts'
import { type UsageDimension, type UsageRow, dimensions, memberOf, readUsage } from './usage.ts'

/** The rows that an export holds in memory. */
const pageSize = 500

/** Rows as NDJSON, page by page, the oldest first. Absent ends of the time are open. */
export async function* ledgerLines(
  ledger: Pick<Ledger, 'rows'>,
  { from, to }: Partial<{ [Name in keyof TimeRange]: TimeRange[Name] | undefined }>,
): AsyncGenerator<string> {
  const [newest] = await ledger.rows({ limit: 1, newestFirst: true })
  if (!newest) return
  const end = to === undefined ? undefined : firstCursorOf(to)
  const last = cursorOf(newest)
  let after = from === undefined ? undefined : firstCursorOf(from)
  for (;;) {
    const page = await ledger.rows({ after, limit: pageSize })
    const rows = page.filter((row) => {
      const cursor = cursorOf(row)
      return cursor <= last && (end === undefined || cursor < end)
    })
    if (rows.length > 0) yield rows.map((row) => `${visibleJson(JSON.stringify(row))}\n`).join('')
    if (rows.length < pageSize) return
    after = cursorOf(page.at(-1)!)
  }
}

/** What a table of usage is about. */
interface UsageTable extends TimeRange {
  readonly by: readonly UsageDimension[]
  /** Milliseconds since 1970. */
  readonly now: number
}

/** The columns of numbers, and the sums in them. */
const counts: Readonly<Record<string, readonly SumName[]>> = {
  calls: ['calls'],
  failures: failureNames,
  retries: ['retries'],
  ...Object.fromEntries(tokenNames.map((name) => [snakeCase(name), [name]])),
  unpriced_calls: ['unpriced'],
  estimated_calls: ['estimated'],
}

/**
 * Usage as CSV (RFC 4180) with a line of titles: one day or hour after another where the table has them, so that its
 * length does not matter. Rejects as `readUsage` does.
 */
export async function* usageLines(
  ledger: Pick<Ledger, 'sums'>,
  table: UsageTable,
  signal?: AbortSignal,
): AsyncGenerator<string> {
  const { by, from, to } = table
  const step = by.includes('HOUR') ? 'hour' : by.includes('DAY') ? 'day' : undefined
  const owners = dimensions.filter((one) => memberOf(one) !== undefined && by.includes(one))
  const titles = [...(step ? ['start'] : []), ...owners.map((one) => one.toLowerCase())]
  yield `${[...titles, ...Object.keys(counts), 'cost_usd'].join(',')}\r\n`
  const lineOf = (row: UsageRow) => {
    const start = row.start === undefined ? [] : [new Date(row.start).toISOString()]
    const names = owners.map((one) => cellOf(row[memberOf(one)!] ?? ''))
    const numbers = Object.values(counts).map((all) =>
      String(all.reduce((sum, name) => sum + (row.sums[name] ?? 0), 0)),
    )
    return `${[...start, ...names, ...numbers, formatUsd(row.costNano)].join(',')}\r\n`
  }
  const ms = step ? sizeOf(step) : to - from
  for (let begin = from; begin < to;) {
    const end = step ? Math.min(to, (Math.floor(begin / ms) + 1) * ms) : to
    const part = { ...table, filter: {}, from: begin, to: end }
    const { rows } = await readUsage(ledger, part, signal)
    if (rows.length > 0) yield rows.map(lineOf).join('')
    begin = end
  }
}

/** A name in CSV. Programs that show tables take a text that begins so for a formula, and run it. */
function cellOf(text: string): string {
  const safe = /^[\s=+\-@|%]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
