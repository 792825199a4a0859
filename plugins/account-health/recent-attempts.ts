import { type Failure, sentenceOf } from './evidence.ts'

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
