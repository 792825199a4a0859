import type { z } from 'zod'

import type { Attempt, Ended, Progress } from '../../contract/exchange.ts'
import type { exchangeAttempt } from './exchange-schema.ts'
import { shownText } from './shown-text.ts'

/** An attempt at an account, as operators see it. */
export type AttemptRecord = z.infer<typeof exchangeAttempt>

/** An attempt that is written again and again, see `ExchangePlace`. */
export type WritableAttempt = { -readonly [Name in keyof AttemptRecord]: AttemptRecord[Name] }

/** Attempts of an exchange that are shown. */
const mostAttempts = 10

const none: readonly AttemptRecord[] = []

/**
 * The attempts of an exchange, the first first. `only` is written if there is a single one, as in nearly all
 * exchanges.
 */
export function attemptsOf(
  exchange: Ended,
  only: readonly [WritableAttempt] = [blankAttempt()],
): readonly AttemptRecord[] {
  const { attempt, former, failed } = exchange.progress
  const isSingle = former.length === 0 && failed.every((one) => one === attempt)
  if (!isSingle) return all(exchange.progress).map((one) => recordOf(one, exchange))
  if (!attempt) return none
  write(only[0], attempt, exchange)
  return only
}

/** An attempt whose fields `attemptsOf` writes. */
export function blankAttempt(): WritableAttempt {
  return {
    number: 0,
    accountId: '',
    dialect: '',
    isNative: true,
    model: undefined,
    upstreamModel: undefined,
    startedMs: undefined,
    firstByteMs: undefined,
    endedMs: undefined,
    status: undefined,
    isReused: false,
    outcome: undefined,
    error: undefined,
    fault: undefined,
  }
}

/** `former` lacks the attempts that failed without a request. */
function all({ attempt, former, failed }: Progress): Attempt[] {
  const sent = attempt ? [...former, attempt] : former
  const unsent = failed.filter((one) => !sent.includes(one))
  return [...sent, ...unsent]
    .toSorted((one, other) => one.number - other.number)
    .slice(-mostAttempts)
}

function recordOf(attempt: Attempt, exchange: Ended): AttemptRecord {
  const record = blankAttempt()
  write(record, attempt, exchange)
  return record
}

function write(record: WritableAttempt, attempt: Attempt, exchange: Ended): void {
  const { candidate, outcome, model } = attempt
  record.number = attempt.number
  record.accountId = candidate.account.id
  record.dialect = candidate.dialect.id
  record.isNative = candidate.native
  record.model = shownText(model.name, exchange)
  record.upstreamModel =
    candidate.upstreamModel === model.name
      ? record.model
      : shownText(candidate.upstreamModel, exchange)
  record.startedMs = since(exchange, attempt.startedAt)
  record.firstByteMs = since(exchange, attempt.firstByteAt)
  record.endedMs = since(exchange, attempt.endedAt)
  record.status = attempt.status ?? outcome?.httpStatus
  record.isReused = attempt.isReused
  record.outcome = outcome?.status
  record.error = outcome?.error?.code
  record.fault = outcome?.fault
}

function since({ receivedAt }: Ended, at: number | undefined): number | undefined {
  return at === undefined ? undefined : Math.max(0, Math.round(at - receivedAt))
}
