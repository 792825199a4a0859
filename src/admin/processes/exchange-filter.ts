import { type FailureName, failureOf as failureOfReply } from '../../stores/ledger-sums.ts'
import { type EndedExchange, ageOf } from './exchanges.ts'

/**
 * How exchanges ended. `SERVER_ERROR`: with a status of 500 or above; `BROKEN`: the client did not get the whole reply;
 * `RETRIED`: with more than one attempt.
 */
export const exchangeOutcomes = [
  'SERVER_ERROR',
  'CLIENT_ERROR',
  'BROKEN',
  'CLIENT_GONE',
  'RETRIED',
] as const

export type ExchangeOutcome = (typeof exchangeOutcomes)[number]

/** Which exchanges a query or a subscription shows. Those in flight have no outcome but `RETRIED`. */
export interface ExchangeFilter {
  /** The outcomes of which an exchange has one. */
  readonly outcome?: readonly ExchangeOutcome[] | undefined
  /** The least duration; of exchanges in flight, the least age. */
  readonly minMs?: number | undefined
  /** The first moment of their beginning, and the moment behind the last. */
  readonly from?: number | undefined
  readonly to?: number | undefined
  readonly team?: string | undefined
  /** An account of any attempt. */
  readonly triedAccountId?: string | undefined
  readonly keyId?: string | undefined
  readonly accountId?: string | undefined
  readonly model?: string | undefined
  readonly dialect?: string | undefined
}

/** Whether an exchange passes a filter. */
export function passes(exchange: Partial<EndedExchange>, filter: ExchangeFilter): boolean {
  if (!filterFields.every((name) => filter[name] === undefined || filter[name] === exchange[name]))
    return false
  const { outcome, minMs, from, to, triedAccountId } = filter
  const { startedAt = 0, attempts = 0, accountId, tried = [] } = exchange
  if (outcome && !hasOutcome(replyOf(exchange), attempts, outcome)) return false
  if (minMs !== undefined && (exchange.durationMs ?? ageOf({ startedAt })) < minMs) return false
  if (startedAt < (from ?? 0) || startedAt >= (to ?? Infinity)) return false
  return (
    triedAccountId === undefined ||
    triedAccountId === accountId ||
    tried.some((one) => one.accountId === triedAccountId)
  )
}

const filterFields = ['keyId', 'team', 'accountId', 'model', 'dialect'] as const

function replyOf({ status, end }: Partial<EndedExchange>) {
  return status === undefined || end === undefined ? undefined : { status, end }
}

/** Whether a call ended in one of these ways. `reply`: absent, it has not ended. */
export function hasOutcome(
  reply: Pick<EndedExchange, 'status' | 'end'> | undefined,
  attempts: number,
  wanted: readonly ExchangeOutcome[],
): boolean {
  if (attempts > 1 && wanted.includes('RETRIED')) return true
  const failure = reply && failureOfReply(reply)
  return failure !== undefined && wanted.includes(outcomes[failure])
}

const outcomes: Readonly<Record<FailureName, ExchangeOutcome>> = {
  clientError: 'CLIENT_ERROR',
  rateLimited: 'CLIENT_ERROR',
  serverError: 'SERVER_ERROR',
  broken: 'BROKEN',
  clientGone: 'CLIENT_GONE',
}
