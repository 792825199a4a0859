import type { z } from 'zod'

import type { Attempt, Ended, Progress } from '../../contract/exchange.ts'
import type { Summary } from '../../contract/outcome.ts'
import { cleanText } from '../../kit/secrets/exchange-texts.ts'
import { type FailureName, failureOf as failureOfReply } from '../../stores/ledger-sums.ts'
import type { endedExchange, exchangeFacts } from '../live/events.ts'

/** The facts about an exchange that operators see. It contains no content and no secret. */
export type ExchangeFacts = Readonly<z.infer<typeof exchangeFacts>>

/** An exchange that has ended. */
export type EndedExchange = Readonly<z.infer<typeof endedExchange>>

/** An attempt that failed. */
export type FailedAttempt = EndedExchange['failedAttempts'][number]

/** Failed attempts of an exchange that are shown. */
const mostFailures = 10

/** Clients choose names of models, which may be very long. Characters. */
const longest = 200

/** Read once: the getter calls into native code. */
const { timeOrigin } = performance

type Writable<T> = { -readonly [Name in keyof T]: T[Name] }

/** The view of an exchange at its present stage. */
export function factsOf(exchange: Ended): ExchangeFacts {
  const facts = blank()
  writeFacts(facts, exchange)
  return facts
}

/** How long an exchange has been in flight, in milliseconds: by the clock that `startedAt` is of. */
export function ageOf({ startedAt }: Pick<ExchangeFacts, 'startedAt'>): number {
  return Math.max(0, Math.round(timeOrigin + performance.now() - startedAt))
}

/** An ended exchange whose fields `writeEnded` writes. */
export function blankEnded(): EndedExchange {
  return {
    ...blank(),
    endedAt: 0,
    status: 0,
    end: 'complete',
    durationMs: 0,
    error: undefined,
    inputTokens: undefined,
    outputTokens: undefined,
    jobId: undefined,
    failedAttempts: [],
  }
}

/**
 * Writes the view of an exchange that has ended. A place for an ended exchange is written again and again:
 * a new object for each of the last thousand survives its request, which costs the garbage collector more
 * than the request itself.
 */
export function writeEnded(
  ended: Writable<EndedExchange>,
  exchange: Ended,
  { status, end, durationMs }: Summary,
): void {
  const { error, outcome, job } = exchange.progress
  writeFacts(ended, exchange)
  ended.endedAt = Math.round(ended.startedAt + durationMs)
  ended.status = status
  ended.end = end
  ended.durationMs = Math.round(durationMs)
  ended.error = error?.code
  ended.inputTokens = outcome?.usage?.inputTokens
  ended.outputTokens = outcome?.usage?.outputTokens
  ended.jobId = owned(job?.id)
  ended.failedAttempts = failedAttempts(exchange.progress)
}

function blank(): ExchangeFacts {
  return {
    id: '',
    startedAt: 0,
    keyId: undefined,
    team: undefined,
    dialect: undefined,
    operation: undefined,
    model: undefined,
    accountId: undefined,
    attempts: 0,
    stream: false,
    bytesIn: 0,
    bytesOut: 0,
    firstOutputMs: undefined,
  }
}

function writeFacts(facts: Writable<ExchangeFacts>, exchange: Ended): void {
  const { id, receivedAt, progress, call, dialect, operation, caller } = exchange
  const { firstOutputAt, job } = progress
  facts.id = id
  facts.startedAt = Math.round(timeOrigin + receivedAt)
  facts.keyId = caller?.keyId
  facts.team = caller?.team
  facts.dialect = dialect?.id
  facts.operation = operation?.id
  const model = call?.model || job?.model.requested
  facts.model = model ? owned(cleanText(model, exchange, longest)) : undefined
  facts.accountId = progress.attempt?.candidate.account.id ?? job?.account
  facts.attempts = progress.attempts
  facts.stream = progress.streamed || call?.stream === true
  facts.bytesIn = progress.bytesIn
  facts.bytesOut = progress.bytesOut
  facts.firstOutputMs =
    firstOutputAt === undefined ? undefined : Math.round(firstOutputAt - receivedAt)
}

const noFailures: readonly FailedAttempt[] = []

/** The attempts that failed, which few exchanges have. */
function failedAttempts({ former, attempt }: Progress): readonly FailedAttempt[] {
  if (former.length === 0 && attempt?.outcome?.status !== 'failed') return noFailures
  const all = attempt ? [...former, attempt] : former
  return all.flatMap((one) => failureOf(one)).slice(0, mostFailures)
}

function failureOf({ candidate, outcome }: Attempt): FailedAttempt[] {
  if (outcome?.status !== 'failed') return []
  const { account, dialect } = candidate
  const { httpStatus, error, fault } = outcome
  return [
    {
      accountId: account.id,
      dialect: dialect.id,
      status: httpStatus,
      code: error?.code,
      fault,
    },
  ]
}

/** Probes and pages without a key are not of interest. */
export function isShown({ operation }: Ended): boolean {
  return operation === undefined || operation.auth !== 'none'
}

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
  /** One of these. */
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
  const { startedAt = 0, attempts = 0, accountId, failedAttempts = noFailures } = exchange
  if (outcome && !hasOutcome(replyOf(exchange), attempts, outcome)) return false
  if (minMs !== undefined && (exchange.durationMs ?? ageOf({ startedAt })) < minMs) return false
  if (startedAt < (from ?? 0) || startedAt >= (to ?? Infinity)) return false
  return (
    triedAccountId === undefined ||
    triedAccountId === accountId ||
    failedAttempts.some((one) => one.accountId === triedAccountId)
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

/** Texts of clients by themselves, and how many of them. */
const texts = new Map<string, string>()
const mostTexts = 1_000

/**
 * A text that keeps no other in memory: the engine holds a part of a text as a reference to the whole,
 * which may be the body of a request.
 */
function owned(text: string | undefined): string | undefined {
  if (!text) return undefined
  const isLong = text.length > longest
  const known = isLong ? undefined : texts.get(text)
  if (known !== undefined) return known
  const copy = Buffer.from(text.slice(0, longest)).toString()
  if (isLong) return `${copy}...`
  if (texts.size >= mostTexts) texts.clear()
  texts.set(copy, copy)
  return copy
}
