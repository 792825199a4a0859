import type { Outcome } from '../../src/contract/outcome.ts'
import type { ErrorCode } from '../../src/contract/errors.ts'
import { absenceIn } from './rests.ts'

/** Whether an outcome shows that its account works, that it fails, or neither. */
export type Evidence = 'success' | 'neutral' | Failure

/** A failure of an account, with a verb phrase about the call: `got 500`. */
interface Failure {
  readonly cause: string
}

/** Refusals, of a dialect that does not name their subject: they are no failures. */
const refusals: ReadonlySet<number | undefined> = new Set([401, 402, 403, 429])

const causes: Partial<Record<ErrorCode, string>> = {
  upstream_unreachable: 'found no connection',
  upstream_timeout: 'timed out',
  upstream_stream_broken: 'broke off',
  upstream_invalid_reply: 'got an invalid reply',
}

/**
 * Returns the evidence of an outcome about its account. Only a fault of the account is a failure: errors of requests
 * and models, clients that leave and limits of the gateway are not, and refusals are judged by their subject. An account
 * whose credential is away rests instead.
 */
export function evidenceOf(outcome: Outcome): Evidence {
  const { fault, status, httpStatus, about, error } = outcome
  if (fault === 'none' && (status === 'completed' || status === 'incomplete')) return 'success'
  if (fault !== 'account' || about !== undefined || refusals.has(httpStatus)) return 'neutral'
  if (absenceIn(outcome)) return 'neutral'
  if (httpStatus !== undefined && httpStatus >= 300) return { cause: `got ${httpStatus}` }
  return { cause: (error && causes[error.code]) ?? 'failed' }
}

/** A sentence about failed calls: `5 of 5 calls got 500`. */
function sentenceOf(failures: readonly Failure[], calls: number): string {
  const counts = new Map<string, number>()
  for (const { cause } of failures) counts.set(cause, (counts.get(cause) ?? 0) + 1)
  const of = `${failures.length} of ${calls} calls`
  if (counts.size === 1) return `${of} ${failures[0]!.cause}`
  return `${of} failed: ${Array.from(counts, ([cause, count]) => `${count} ${cause}`).join(', ')}`
}

/** Failures without a success between them that open a circuit. */
const mostInRow = 5
/**
 * As many failures of other keys show that a row is due to the account. Fewer may be strays: one key could otherwise
 * open the circuit for all by failing beside them.
 */
const enoughInRow = Math.ceil(mostInRow / 2)
/** The share of failed attempts that opens a circuit, if there were enough attempts in the window of time. */
const mostShare = 0.5
const leastAttempts = 20
const windowMs = 30_000
/** Attempts that count. */
const mostAttempts = 100

/** A failure of a call. Without a key: the call has not reached the account, so that its request had no part in it. */
interface KeyFailure extends Failure {
  readonly keyId: string | undefined
}

interface Attempt {
  readonly at: number
  readonly failure?: KeyFailure
}

/** The judgement that an account fails. */
interface Verdict {
  readonly reason: string
  /** The key of nearly all failures. Absent: several keys have their part in them. */
  readonly blamed: string | undefined
}

/** The last attempts at a model of an account. */
export class RecentAttempts {
  #attempts: Attempt[] = []

  addSuccess(now: number): void {
    this.#add({ at: now })
  }

  addFailure(failure: KeyFailure, now: number): void {
    this.#add({ at: now, failure })
  }

  #add(attempt: Attempt): void {
    this.#attempts.push(attempt)
    if (this.#attempts.length > mostAttempts) this.#attempts.shift()
  }

  /** Returns the judgement that the account fails; `undefined` if there are too few failures. */
  judge(now: number): Verdict | undefined {
    const row = failuresOf(this.#row())
    if (row.length >= mostInRow) return verdictOn(row, row.length, enoughInRow)
    const recent = this.#attempts.filter(({ at }) => at > now - windowMs)
    const failures = failuresOf(recent)
    const isEnough = recent.length >= leastAttempts && failures.length >= recent.length * mostShare
    return isEnough ? verdictOn(failures, recent.length, mostInRow) : undefined
  }

  /** Begins a new window of time. The row of failures goes on. */
  beginWindow(): void {
    this.#attempts = this.#row().map((attempt) => ({ ...attempt, at: -Infinity }))
  }

  clear(): void {
    this.#attempts = []
  }

  /** The failures since the last success. */
  #row(): Attempt[] {
    return this.#attempts.slice(this.#attempts.findLastIndex(({ failure }) => !failure) + 1)
  }
}

function failuresOf(attempts: readonly Attempt[]): KeyFailure[] {
  return attempts.flatMap(({ failure }) => failure ?? [])
}

/** A key is to blame if other keys have fewer than `enough` of the failures. */
function verdictOn(failures: readonly KeyFailure[], calls: number, enough: number): Verdict {
  const byKey = Map.groupBy(failures, ({ keyId }) => keyId)
  const [keyId, own] = [...byKey].reduce((most, one) =>
    one[1].length > most[1].length ? one : most,
  )
  const blamed = failures.length - own.length < enough ? keyId : undefined
  return { reason: sentenceOf(failures, calls), blamed }
}
