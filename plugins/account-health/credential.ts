import type { Candidate } from '../../src/contract/candidate.ts'
import type { AccountCheck } from '../../src/contract/refusal.ts'
import type { Log } from '../../src/lib/log.ts'
import type { Refusal, Refusals } from './refusals.ts'

/** Waits between two checks of an account, in milliseconds. Each is twice the last. */
const firstWaitMs = 5_000
const longestWaitMs = 2 * 60_000
/** After so long without a check the waits begin again. Milliseconds. */
const quietMs = 10 * 60_000

/** The services that the checks of all accounts share. */
export interface CheckServices {
  readonly log: Pick<Log, 'info'>
  /** In milliseconds, on a clock that never goes back. */
  readonly now: () => number
  readonly check: (candidate: Candidate) => Promise<AccountCheck>
  /** Aborted when the gateway ends. */
  readonly signal: AbortSignal
}

/**
 * Checks the credential of one account by free calls: one at a time. An account that a check has excluded is checked
 * again until it comes back.
 */
export class CredentialChecks {
  readonly #services: CheckServices
  readonly #refusals: Refusals
  #running: Promise<AccountCheck> | undefined
  #last: AccountCheck = 'inconclusive'
  #lastAt = -Infinity
  #waitMs = firstWaitMs
  /** Whether a check has excluded the account, and which timer begins the next one. */
  #isOut = false
  #timer: NodeJS.Timeout | undefined

  constructor(services: CheckServices, refusals: Refusals) {
    this.#services = services
    this.#refusals = refusals
  }

  /** The result of a check: the one that is running, else a new one, else the last one if it is too soon. */
  result(candidate: Candidate): AccountCheck | Promise<AccountCheck> {
    if (this.#running) return this.#running
    const sinceLast = this.#services.now() - this.#lastAt
    if (sinceLast < this.#waitMs) return this.#last
    this.#waitMs = sinceLast > quietMs ? firstWaitMs : Math.min(this.#waitMs * 2, longestWaitMs)
    return this.#run(candidate)
  }

  /**
   * A check has confirmed a refusal: excludes the account until a check succeeds. Returns the exclusion if it is new.
   * `cause`: why the account cannot be given its credential.
   */
  confirm(candidate: Candidate, status: number, cause?: string): Refusal | undefined {
    const { now, signal } = this.#services
    // Concurrent calls may be refused together.
    if (this.#isOut || signal.aborted) return undefined
    this.#isOut = true
    const exclusion = this.#refusals.confirm(status, now(), cause)
    this.#schedule(candidate, exclusion)
    return exclusion
  }

  /** Checks an excluded account whose wait is over, in the background. */
  recheck(candidate: Candidate): void {
    // Without a timer a check is under way.
    if (!this.#timer) return
    this.#unschedule()
    void this.#run(candidate).then((result) => this.#judge(candidate, result))
  }

  /** An operator ends the account's exclusion: the next calls show whether it works. */
  readmit(): void {
    this.#unschedule()
    this.#isOut = false
    this.#refusals.restore()
  }

  #judge(candidate: Candidate, result: AccountCheck): void {
    const { log, now, signal } = this.#services
    const known = this.#refusals.at(now())
    // An operator may have readmitted the account during the check.
    if (signal.aborted || result === 'gone' || !this.#isOut) return
    if (result === 'refused' && known) {
      this.#schedule(candidate, this.#refusals.confirm(known.status, now(), known.cause))
      return
    }
    this.#isOut = false
    const { id: account, provider } = candidate.account
    if (result === 'accepted') {
      this.#refusals.restore()
      log.info('account is back: the upstream accepts it again', { account, provider })
    } else {
      this.#refusals.readmit()
      log.info('account is tried again: it cannot be checked now', { account, provider })
    }
  }

  #run(candidate: Candidate): Promise<AccountCheck> {
    const { check, now } = this.#services
    this.#lastAt = now()
    this.#running ??= check(candidate)
      .catch((): AccountCheck => 'inconclusive')
      .then((result) => {
        this.#running = undefined
        return (this.#last = result)
      })
    return this.#running
  }

  #schedule(candidate: Candidate, { until }: Refusal): void {
    const { now, signal } = this.#services
    this.#timer = setTimeout(() => {
      if (!signal.aborted) this.recheck(candidate)
    }, until - now()).unref()
  }

  #unschedule(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }
}
