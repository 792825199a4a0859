import type { CircuitSettings } from './options.ts'
import type { Evidence } from './evidence.ts'
import { RollingWindow } from './window.ts'

/** `half-open`: its time is over, and one attempt at a time finds out whether the account works. */
export type CircuitState = 'closed' | 'open' | 'half-open'

/** Identifies one attempt of one exchange. */
export interface AttemptId {
  readonly exchange: { readonly id: string }
  readonly attempt: number
}

/** How far the times that circuits stay open differ, so that replicas do not probe together. */
const jitter = 0.2

/** Whether one account is asked by calls of one family. Knows no clock: it is told the time. */
export class Circuit {
  readonly #settings: CircuitSettings
  readonly #random: () => number
  readonly #window: RollingWindow
  #failuresInRow = 0
  /** 0: closed. */
  #openUntil = 0
  #nextOpenMs: number
  #probe: AttemptId | undefined
  #probes = 0
  /** A probe whose end nobody has told by then is given up. */
  #probeUntil = 0

  constructor(settings: CircuitSettings, random: () => number) {
    this.#settings = settings
    this.#random = random
    this.#window = new RollingWindow(settings.windowMs)
    this.#nextOpenMs = settings.openMs
  }

  state(now: number): CircuitState {
    if (this.#openUntil === 0) return 'closed'
    return now < this.#openUntil ? 'open' : 'half-open'
  }

  get openUntil(): number {
    return this.#openUntil
  }

  get failuresInRow(): number {
    return this.#failuresInRow
  }

  /** How many probes have been taken since it opened. */
  get probes(): number {
    return this.#probes
  }

  isBeingProbed(now: number): boolean {
    return this.#probe !== undefined && now < this.#probeUntil
  }

  /** Whether the attempt is now the one that finds out. */
  takeProbe(attempt: AttemptId, now: number): boolean {
    if (this.state(now) !== 'half-open' || this.isBeingProbed(now)) return false
    // The name alone: the exchange must not be kept by its circuit.
    this.#probe = { exchange: { id: attempt.exchange.id }, attempt: attempt.attempt }
    this.#probes++
    this.#probeUntil = now + this.#settings.longestOpenMs
    return true
  }

  /** The attempt has not been made after all, or says nothing. */
  releaseProbe({ exchange, attempt }: AttemptId): boolean {
    const isProbe = this.#probe?.exchange.id === exchange.id && this.#probe.attempt === attempt
    if (isProbe) this.#probe = undefined
    return isProbe
  }

  /** Notes how an attempt ended; answers the new state where that changes it. */
  record(evidence: Evidence, attempt: AttemptId, now: number): CircuitState | undefined {
    if (this.#openUntil === 0) return this.#recordClosed(evidence, now)
    // What was under way when the circuit opened says nothing that is not known.
    if (!this.releaseProbe(attempt) || evidence === 'neutral') return undefined
    return evidence === 'success' ? this.#close() : this.#open(now)
  }

  #recordClosed(evidence: Evidence, now: number): CircuitState | undefined {
    if (evidence === 'neutral') return undefined
    const failed = evidence === 'failure'
    this.#window.add(failed, now)
    this.#failuresInRow = failed ? this.#failuresInRow + 1 : 0
    return failed && this.#isTooMuch(now) ? this.#open(now) : undefined
  }

  #isTooMuch(now: number): boolean {
    const { failures, attempts, share } = this.#settings
    if (this.#failuresInRow >= failures) return true
    return this.#window.attempts(now) >= attempts && this.#window.shareOfFailures(now) >= share
  }

  #open(now: number): CircuitState {
    this.#probes = 0
    const spread = 1 - jitter + 2 * jitter * this.#random()
    this.#openUntil = now + this.#nextOpenMs * spread
    this.#nextOpenMs = Math.min(this.#nextOpenMs * 2, this.#settings.longestOpenMs)
    return 'open'
  }

  #close(): CircuitState {
    this.#openUntil = 0
    this.#nextOpenMs = this.#settings.openMs
    this.#failuresInRow = 0
    this.#window.clear()
    return 'closed'
  }
}
