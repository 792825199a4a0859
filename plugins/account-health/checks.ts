import type { AccountCheck } from '../../src/contract/refusal.ts'

/** Waits between two checks of an account, in milliseconds. Each is twice the last. */
const firstWaitMs = 5_000
const longestWaitMs = 2 * 60_000
/** After so long without a check the waits begin again. Milliseconds. */
const quietMs = 10 * 60_000

/** The checks of one account: one at a time, and none before the wait after the last one is over. */
export class AccountChecks {
  #running: Promise<AccountCheck> | undefined
  #last: AccountCheck = 'inconclusive'
  #lastAt = -Infinity
  #waitMs = firstWaitMs

  /** The result of a check: the one that is running, else a new one, else the last one if it is too soon. */
  result(check: () => Promise<AccountCheck>, now: number): AccountCheck | Promise<AccountCheck> {
    if (this.#running) return this.#running
    const sinceLast = now - this.#lastAt
    if (sinceLast < this.#waitMs) return this.#last
    this.#waitMs = sinceLast > quietMs ? firstWaitMs : Math.min(this.#waitMs * 2, longestWaitMs)
    return this.run(check, now)
  }

  /** The result of a check whose time the caller has chosen. */
  run(check: () => Promise<AccountCheck>, now: number): Promise<AccountCheck> {
    this.#lastAt = now
    this.#running ??= check()
      .catch((): AccountCheck => 'inconclusive')
      .then((result) => {
        this.#running = undefined
        return (this.#last = result)
      })
    return this.#running
  }
}
