import type { Attempt, Ended } from '../contract/exchange.ts'
import type { LedgerReply, LedgerRow } from '../contract/ledger-row.ts'
import type { Summary } from '../contract/outcome.ts'
import { isWork } from '../kit/spend.ts'
import { cleanText } from '../kit/secrets/exchange-texts.ts'

/** Clients choose names of models, which may be very long. Characters. */
const longest = 200

/** The name of a platform model in sums: none that clients make up. */
type PoolOf = (exchange: Ended, model: string) => string

/**
 * The rows of an exchange that has ended: one for each attempt that sent a request, the first first. `at`: when it
 * ended, in milliseconds since 1970.
 */
export function rowsOf(exchange: Ended, summary: Summary, at: number, poolOf: PoolOf): LedgerRow[] {
  const { former, attempt } = exchange.progress
  const rows: LedgerRow[] = []
  for (const one of former) rows.push(rowOf(exchange, one, at, poolOf, undefined))
  if (attempt?.startedAt !== undefined)
    rows.push(rowOf(exchange, attempt, at, poolOf, replyOf(exchange, summary)))
  return rows
}

/** The reply that a client got. */
export function replyOf({ progress, receivedAt }: Ended, summary: Summary): LedgerReply {
  const { firstOutputAt, streamed, error } = progress
  return {
    status: summary.status,
    end: summary.end,
    stream: streamed,
    error: error?.code,
    ms: Math.round(summary.durationMs),
    firstOutputMs:
      firstOutputAt === undefined ? undefined : Math.max(0, Math.round(firstOutputAt - receivedAt)),
  }
}

function rowOf(
  exchange: Ended,
  {
    number,
    // A fallback changes that of the exchange.
    model,
    candidate,
    spend,
    status,
    outcome,
    startedAt = 0,
    endedAt = performance.now(),
  }: Attempt,
  at: number,
  poolOf: PoolOf,
  reply: LedgerReply | undefined,
): LedgerRow {
  const { id, caller, operation, dialect, call } = exchange
  const { name } = model
  const pool = poolOf(exchange, name)
  // A name of the configuration is no secret of a client.
  const shown = pool === name ? pool : shownName(exchange, name)
  const requested = call?.model ?? ''
  const cost = spend?.cost ?? 'no_usage'
  return {
    exchange: id,
    attempt: number,
    at,
    keyId: caller?.keyId ?? '',
    team: caller?.team,
    operation: operation?.id ?? '',
    dialect: dialect?.id ?? '',
    requested: requested === name ? undefined : shownName(exchange, requested),
    model: shown,
    pool: pool === name ? undefined : pool,
    accountId: candidate.account.id,
    upstreamModel:
      candidate.upstreamModel === name ? shown : shownName(exchange, candidate.upstreamModel),
    status: outcome?.status ?? 'cancelled',
    fault: outcome?.fault ?? 'none',
    httpStatus: status,
    error: outcome?.error?.code,
    isFree: operation && isWork(operation) ? undefined : true,
    usage: spend?.usage ?? 'unknown',
    tokens: spend?.tokens,
    costNano: typeof cost === 'number' ? cost : null,
    uncosted: typeof cost === 'number' ? undefined : cost,
    ms: Math.round(Math.max(0, endedAt - startedAt)),
    reply,
  }
}

/** A copy: the text of a client may keep its whole request in memory, and rows wait while the store is away. */
function shownName(exchange: Ended, name: string): string {
  return Buffer.from(cleanText(name, exchange, longest)).toString()
}
