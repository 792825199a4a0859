import type { LedgerRow } from '../contract/ledger-row.ts'
import { type Ledger, cursorOf, firstCursorOf } from '../stores/ledger.ts'
import type { Page, PageArguments } from './connections.ts'
import { listPage } from './list-page.ts'
import { type ExchangeOutcome, hasOutcome } from './processes/exchange-filter.ts'

/** The rows that a page shows. Absent members: all. */
interface LedgerFilter {
  /** The first moment, in milliseconds since 1970. */
  readonly from?: number | undefined
  /** The moment behind the last. */
  readonly to?: number | undefined
  readonly outcome?: readonly ExchangeOutcome[] | undefined
  readonly minMs?: number | undefined
  readonly keyId?: string | undefined
  readonly team?: string | undefined
  readonly model?: string | undefined
  readonly accountId?: string | undefined
}

/** Reads a page of the ledger, the newest rows first. Rejects with `StoreUnavailable`. */
export async function listLedger(
  ledger: Pick<Ledger, 'rows'>,
  page: PageArguments,
  filter: LedgerFilter,
  signal?: AbortSignal,
): Promise<Page<LedgerRow>> {
  const least = firstCursorOf(filter.from ?? 0)
  const end = filter.to === undefined ? undefined : firstCursorOf(filter.to)
  const reading = {
    async list({ after, limit }: { after: string | undefined; limit: number }) {
      const start = end !== undefined && (after === undefined || end < after) ? end : after
      const rows = await ledger.rows({ after: start, limit, newestFirst: true })
      return rows
        .map((node) => ({ cursor: cursorOf(node), node }))
        .filter(({ cursor }) => cursor > least)
    },
    ...(isSelective(filter) && { matches: (row: LedgerRow) => passes(row, filter) }),
  }
  return listPage<LedgerRow>(page, reading, signal)
}

const names = ['keyId', 'team', 'model', 'accountId'] as const

function isSelective(filter: LedgerFilter): boolean {
  return [filter.outcome, filter.minMs, ...names.map((name) => filter[name])].some(
    (wanted) => wanted !== undefined,
  )
}

function passes(row: LedgerRow, filter: LedgerFilter): boolean {
  const { outcome, minMs = 0 } = filter
  const { reply } = row
  return (
    names.every((name) => filter[name] === undefined || filter[name] === row[name]) &&
    (reply?.ms ?? row.ms) >= minMs &&
    (outcome === undefined || hasOutcome(reply, row.attempt, outcome))
  )
}
