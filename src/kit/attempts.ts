import type { LeftModel } from '../contract/call.ts'
import type { Attempt, Ended, Progress } from '../contract/exchange.ts'
import type { Outcome } from '../contract/outcome.ts'

/** An attempt as logs and headers show it. */
export interface ShownAttempt {
  readonly account: string
  /** The model, for a call that had several. */
  readonly model: string | undefined
  /** The status of the account's reply. Absent: no reply has arrived. */
  readonly status: number | undefined
  /** The code of the error with which the attempt failed. */
  readonly error: string | undefined
  /** From the request to the account to the end of its reply, in milliseconds. Absent: it has not ended. */
  readonly ms: number | undefined
}

/** A plugin may repeat a call as often as it likes. */
const mostShown = 20

/** The attempts of an exchange that sent a request, the first first; the last twenty of them. */
export function shownAttempts({ former, attempt, left }: Progress): ShownAttempt[] {
  const shown: ShownAttempt[] = []
  const hasModels = left.length > 0
  for (const one of former.slice(1 - mostShown)) shown.push(shownAttempt(one, hasModels))
  if (attempt?.startedAt !== undefined) shown.push(shownAttempt(attempt, hasModels))
  return shown
}

function shownAttempt(
  { candidate, model, status, outcome, startedAt, endedAt }: Attempt,
  hasModels: boolean,
): ShownAttempt {
  return {
    account: candidate.account.id,
    model: hasModels ? model.name : undefined,
    status,
    error: outcome?.error?.code,
    ms: durationOf(startedAt, endedAt),
  }
}

/** A model that a call has left for another one, as logs and headers show it. */
export type ShownFallback = Omit<LeftModel, 'excluded'>

/** The models that a call has left, the first first. */
export function shownFallbacks({ left }: Progress): readonly ShownFallback[] {
  return left.map(({ model, next, on, error }) => ({ model, next, on, error }))
}

function durationOf(startedAt: number | undefined, endedAt: number | undefined) {
  if (startedAt === undefined || endedAt === undefined) return undefined
  return Math.round((endedAt - startedAt) * 100) / 100
}

/**
 * The milliseconds in which accounts had the call, over all its attempts; `undefined` if none got a request. The
 * rest of the duration of the exchange is the gateway's own. `durationMs`: of the exchange.
 */
export function upstreamTimeOf(
  { progress: { former, attempt }, receivedAt }: Ended,
  durationMs: number,
): number | undefined {
  const last = attempt && timeOf(attempt, receivedAt + durationMs)
  if (former.length === 0) return last
  return former.reduce((sum, one) => sum + (timeOf(one, 0) ?? 0), last ?? 0)
}

/** `end`: when an attempt that has not ended counts as ended, by `performance.now()`. */
function timeOf({ startedAt, endedAt }: Attempt, end: number): number | undefined {
  return startedAt === undefined ? undefined : Math.max(0, (endedAt ?? end) - startedAt)
}

/** The dialect of the last request to an account, if it differs from the client's dialect. */
export function translatedTo({ progress }: Pick<Ended, 'progress'>): string | undefined {
  const { candidate } = progress.attempt ?? {}
  return candidate && !candidate.native ? candidate.dialect.id : undefined
}

/** A client that leaves earlier says nothing about the account, in milliseconds. */
const patienceMs = 10_000

/** Whether the client left after a wait in which the account had sent nothing. */
export function isUnanswered(
  { status, fault }: Pick<Outcome, 'status' | 'fault'>,
  { isSent, startedAt = 0, endedAt = 0, firstByteAt }: Attempt,
): boolean {
  if (status !== 'cancelled' || fault !== 'client' || !isSent) return false
  return firstByteAt === undefined && endedAt - startedAt >= patienceMs
}

/** A closed connection shows within one round trip, in which no upstream completes an image. */
const raceMs = 1_000

/**
 * Whether an upstream with a stale connection cannot have begun the work: the connection had served
 * earlier requests, and its end arrived right after the request was sent.
 */
export function wasUnread(attempt: Attempt): boolean {
  const { isReused, startedAt = 0, endedAt = Infinity } = attempt
  return isReused && endedAt - startedAt < raceMs
}
