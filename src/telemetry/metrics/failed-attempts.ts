import type { Attempt, Routed } from '../../contract/exchange.ts'
import type { ErrorType } from '../error-types.ts'

/** The failed attempts of an exchange so far. */
export interface FailedAttempts {
  /** The account of the last one. */
  account: string
  reason: ErrorType
  count: number
  /** When the first of them was sent, as `performance.now()`. */
  firstStartedAt: number
  /** The time that accounts had the call, in milliseconds. */
  waitedMs: number
}

/**
 * Remembers failed attempts until their exchange ends. Only exchanges with one are in it: a look into a
 * `WeakMap` would cost each request some microseconds.
 */
export class FailedAttemptsLog {
  readonly #known = new WeakMap<object, FailedAttempts>()

  /** Notes an attempt that failed. */
  add(exchange: Routed, { candidate, startedAt, endedAt }: Attempt, reason: ErrorType): void {
    const now = performance.now()
    const started = startedAt ?? now
    const waitedMs = Math.max(0, (endedAt ?? now) - started)
    const known = this.#known.get(exchange)
    if (!known) {
      const { id: account } = candidate.account
      this.#known.set(exchange, { account, reason, count: 1, firstStartedAt: started, waitedMs })
      return
    }
    known.account = candidate.account.id
    known.reason = reason
    known.count++
    known.waitedMs += waitedMs
  }

  /** Those of an exchange; `undefined` without any. */
  of(exchange: object): FailedAttempts | undefined {
    return this.#known.get(exchange)
  }
}
