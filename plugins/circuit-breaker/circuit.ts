import type { CircuitSettings } from './options.ts'
import type { Evidence } from './evidence.ts'
import { Tally } from './tally.ts'

/** `half-open`: the open period has passed, and one attempt at a time probes the account. */
export type CircuitState = 'closed' | 'open' | 'half-open'

/** Identifies one attempt of one exchange. */
export interface AttemptId {
  readonly exchange: { readonly id: string }
  readonly attempt: number
  /**
   * The id of the key whose call it is. Absent if the request had no part in the outcome: the account
   * could not be reached.
   */
  readonly keyId?: string | undefined
}

/** Random variation of the open periods, as a share, so that replicas do not probe simultaneously. */
const jitter = 0.2

/** The circuit of one account for one dialect. Its methods take the time as `now`, in milliseconds. */
export class Circuit {
  readonly #settings: CircuitSettings
  readonly #random: () => number
  readonly #tally: Tally
  /** In milliseconds; 0 if the circuit is closed. */
  #openUntil = 0
  #nextOpenMs: number
  /**
   * Set while no attempt has succeeded since a probe's first output closed the circuit: the next failure opens it
   * again. `onlyKey`: the key that it concerned.
   */
  #probation: { readonly onlyKey: string | undefined } | undefined
  #probe: AttemptId | undefined
  #probes = 0
  /** The key that the open circuit concerns; `undefined`: all. */
  #onlyKey: string | undefined
  /** Whether calls of several keys failed, and none of another key than `#onlyKey` has succeeded since. */
  #hasFailedForAll = false
  /** When a probe without an outcome expires, in milliseconds. */
  #probeUntil = 0

  constructor(settings: CircuitSettings, random: () => number) {
    this.#settings = settings
    this.#random = random
    this.#tally = new Tally(settings)
    this.#nextOpenMs = settings.openMs
  }

  /** The state at a time. */
  state(now: number): CircuitState {
    if (this.#openUntil === 0) return 'closed'
    return now < this.#openUntil ? 'open' : 'half-open'
  }

  /** When the open period ends, in milliseconds; 0 if the circuit is closed. */
  get openUntil(): number {
    return this.#openUntil
  }

  /** Whether calls of a key concern the circuit: one key's failures may be due to its requests. */
  concerns(keyId: string | undefined): boolean {
    return this.#onlyKey === undefined || this.#onlyKey === keyId
  }

  /** The only key whose calls concern the circuit; `undefined`: those of all. */
  get onlyKey(): string | undefined {
    return this.#onlyKey
  }

  /** Consecutive failures of calls that count. */
  get failuresInRow(): number {
    return this.#tally.failuresInRow
  }

  /** Whether a probe's first output closed the circuit, and no attempt has succeeded since. */
  get isOnProbation(): boolean {
    return this.#probation !== undefined
  }

  /** The number of probes since the circuit opened. */
  get probes(): number {
    return this.#probes
  }

  /** Whether an attempt probes the account. */
  isBeingProbed(now: number): boolean {
    return this.#probe !== undefined && now < this.#probeUntil
  }

  /** Makes the attempt the probe. Returns false if the circuit needs no probe now. */
  takeProbe(attempt: AttemptId, now: number): boolean {
    if (this.state(now) !== 'half-open' || this.isBeingProbed(now)) return false
    // Only the id: the circuit must not keep the exchange in memory.
    this.#probe = { exchange: { id: attempt.exchange.id }, attempt: attempt.attempt }
    this.#probes++
    this.#probeUntil = now + this.#settings.longestOpenMs
    return true
  }

  /** Ends a probe without evidence. Returns whether the attempt was the probe. */
  releaseProbe({ exchange, attempt }: AttemptId): boolean {
    const isProbe = this.#probe?.exchange.id === exchange.id && this.#probe.attempt === attempt
    if (isProbe) this.#probe = undefined
    return isProbe
  }

  /** Records the first output of an attempt: that of the probe closes the circuit. Returns the new state then. */
  recordOutput(attempt: AttemptId): CircuitState | undefined {
    if (!this.releaseProbe(attempt)) return undefined
    const onlyKey = this.#hasFailedForAll ? undefined : this.#onlyKey
    const openMs = this.#nextOpenMs
    this.#close()
    // Streams may go on to break: then the circuit opens at once, and for longer.
    this.#nextOpenMs = openMs
    this.#probation = { onlyKey }
    return 'closed'
  }

  /**
   * Records the end of an attempt. Returns the new state if it changes, or if the circuit opens anew. While the
   * circuit is open, the probe counts, and so do calls of keys that it does not concern.
   */
  record(evidence: Evidence, attempt: AttemptId, now: number): CircuitState | undefined {
    const wasProbe = this.releaseProbe(attempt)
    if (evidence === 'neutral') return undefined
    if (wasProbe && evidence === 'success') return this.#close()
    if (this.#openUntil !== 0 && !wasProbe && this.concerns(attempt.keyId)) return undefined
    this.#tally.add(evidence === 'failure', attempt.keyId, now)
    if (evidence === 'failure') return this.#fail(attempt, wasProbe, now)
    this.#noteSuccess()
    return undefined
  }

  /** Closes the circuit without a probe. Returns whether it was open or half-open. */
  reset(): boolean {
    const wasClosed = this.#openUntil === 0
    this.#probe = undefined
    this.#close()
    return !wasClosed
  }

  #noteSuccess(): void {
    this.#hasFailedForAll = false
    if (this.#probation) this.#nextOpenMs = this.#settings.openMs
    this.#probation = undefined
  }

  #fail({ keyId }: AttemptId, wasProbe: boolean, now: number): CircuitState | undefined {
    // A probe is evidence of its key alone.
    if (wasProbe) return this.#open(this.#onlyKey ?? keyId, now)
    if (this.#hasFailedForAll) {
      this.#onlyKey = undefined
      return undefined
    }
    if (!this.#tally.exceedsLimits(now) && !this.#endsProbation(keyId)) return undefined
    if (this.#openUntil === 0) return this.#open(this.#blamedKey(now), now)
    // Failed probes of one key do not make the time longer for all.
    this.#nextOpenMs = this.#settings.openMs
    return this.#open(undefined, now)
  }

  #blamedKey(now: number): string | undefined {
    if (!this.#probation || this.#tally.isRow) return this.#tally.blamedKey(now)
    return this.#probation.onlyKey ?? this.#tally.rowKey
  }

  #endsProbation(keyId: string | undefined): boolean {
    if (!this.#probation) return false
    const { onlyKey } = this.#probation
    return onlyKey === undefined || onlyKey === keyId
  }

  #open(onlyKey: string | undefined, now: number): CircuitState {
    this.#onlyKey = onlyKey
    this.#hasFailedForAll ||= onlyKey === undefined
    this.#tally.beginWindow()
    this.#probe = undefined
    this.#probes = 0
    const spread = 1 - jitter + 2 * jitter * this.#random()
    this.#openUntil = now + this.#nextOpenMs * spread
    this.#nextOpenMs = Math.min(this.#nextOpenMs * 2, this.#settings.longestOpenMs)
    return 'open'
  }

  #close(): CircuitState {
    this.#openUntil = 0
    this.#nextOpenMs = this.#settings.openMs
    this.#onlyKey = undefined
    this.#hasFailedForAll = false
    this.#probation = undefined
    this.#tally.clear()
    return 'closed'
  }
}
