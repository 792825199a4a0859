import type { Attempt, Ended } from '../contract/exchange.ts'
import type { LedgerReply, LedgerRow } from '../contract/ledger-row.ts'
import type { Summary } from '../contract/outcome.ts'
import type { Spend } from '../contract/spend.ts'
import { isWork } from '../kit/spend.ts'
import { cleanText } from '../kit/secrets/exchange-texts.ts'

/** Clients choose names of models, which may be very long. Characters. */
const longest = 200

/** The name of a platform model in sums: none that clients make up. */
type PoolOf = (exchange: Pick<Ended, 'snapshot'>, model: string) => string

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

/** A job that is over. Times are in seconds since 1970. */
export interface EndedJob {
  readonly id: string
  readonly kind: string
  readonly keyId: string
  readonly team?: string | undefined
  readonly accountId: string
  readonly dialect: string
  readonly model: string
  /** Absent: the model's name contains no secret. */
  readonly shownModel?: string | undefined
  readonly upstreamModel?: string | undefined
  readonly status: LedgerRow['status']
  readonly createdAt: number
  readonly completedAt?: number | undefined
}

/** The row of a job that is over: the attempt that has created it has no cost of its own. `at`: when it was noticed. */
export function rowOfJob(
  job: EndedJob,
  { usage, tokens, cost, priceVersion }: Spend,
  at: number,
  pool: string,
): LedgerRow {
  const { id, kind, keyId, team, accountId, dialect, model, createdAt, completedAt } = job
  const { shownModel = model, upstreamModel = shownModel, status } = job
  return {
    exchange: id,
    attempt: 1,
    at: completedAt === undefined ? at : completedAt * 1_000,
    keyId,
    team,
    operation: `${kind}.ended`,
    dialect,
    model: shownName(withoutSecrets, shownModel),
    pool: pool === model ? undefined : pool,
    accountId,
    upstreamModel: shownName(withoutSecrets, upstreamModel),
    status,
    fault: status === 'failed' ? 'account' : 'none',
    isJob: true,
    usage,
    tokens,
    costNano: typeof cost === 'number' ? cost : null,
    uncosted: typeof cost === 'number' ? undefined : cost,
    priceVersion,
    ms: completedAt === undefined ? 0 : Math.max(0, completedAt - createdAt) * 1_000,
  }
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
    // The model of the attempt: a fallback changes the model of the exchange.
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
    priceVersion: spend?.priceVersion,
    ms: Math.round(Math.max(0, endedAt - startedAt)),
    reply,
  }
}

/** The record of a job has names without the secrets of its exchange. */
const withoutSecrets = { progress: {} }

/** A copy: the text of a client may keep its whole request in memory, and rows wait while the store is away. */
function shownName(exchange: Parameters<typeof cleanText>[1], name: string): string {
  return Buffer.from(cleanText(name, exchange, longest)).toString()
}
