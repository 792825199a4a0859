import type { CircuitSettings } from './options.ts'
import { type AttemptId, Probes } from './probes.ts'

/** `half-open`: the open period has passed, and one attempt at a time probes the account. */
export type CircuitState = 'closed' | 'open' | 'half-open'

/** Random variation of the open periods, as a share, so that replicas do not probe simultaneously. */
const jitter = 0.2

/**
 * Lets calls pass or holds them back, those of one key or those of all: closed, open for a time, half-open with
 * a probe, or closed on probation. Its methods take the time as `now`, in milliseconds.
 */
export class Gate {
  /** The key whose calls it holds back; `undefined`: all. */
  readonly keyId: string | undefined
  readonly #settings: CircuitSettings
  readonly #random: () => number
  /** In milliseconds; 0 if the gate is closed. */
  #openUntil = 0
  #nextOpenMs: number
  #isOnProbation = false
  readonly #running: Probes
  #probes = 0

  /** `openMs`: the first open period. */
  constructor(
    keyId: string | undefined,
    settings: CircuitSettings,
    random: () => number,
    openMs = settings.openMs,
  ) {
    this.keyId = keyId
    this.#settings = settings
    this.#random = random
    this.#nextOpenMs = openMs
    this.#running = new Probes(settings.openMs)
  }

  /** The state at a time. */
  state(now: number): CircuitState {
    if (this.#openUntil === 0) return 'closed'
    return now < this.#openUntil ? 'open' : 'half-open'
  }

  get isClosed(): boolean {
    return this.#openUntil === 0
  }

  /** When the open period ends, in milliseconds; 0 if the gate is closed. */
  get openUntil(): number {
    return this.#openUntil
  }

  /** The next open period, in milliseconds. */
  get nextOpenMs(): number {
    return this.#nextOpenMs
  }

  /** Whether a probe's first output closed the gate, and no attempt has succeeded since. */
  get isOnProbation(): boolean {
    return this.#isOnProbation
  }

  /** The number of probes since the gate opened. */
  get probes(): number {
    return this.#probes
  }

  /** Whether a probe has begun within the longest open period and has no outcome yet. */
  isBeingProbed(now: number): boolean {
    return this.#running.hasRecent(this.#settings.longestOpenMs, now)
  }

  /** Whether the probes of a half-open gate leave no room for one of this key. */
  keepsOut(keyId: string | undefined, now: number): boolean {
    return this.#running.keepOut(keyId, now)
  }

  /** Makes the attempt a probe. Returns false if the gate needs no probe of this key now. */
  takeProbe(attempt: AttemptId, now: number): boolean {
    if (this.state(now) !== 'half-open' || this.keepsOut(attempt.keyId, now)) return false
    this.#running.begin(attempt, now)
    this.#probes++
    return true
  }

  /** Ends a probe without evidence. Returns the probe if it was the attempt. */
  releaseProbe(attempt: AttemptId): AttemptId | undefined {
    return this.#running.end(attempt)
  }

  /** Opens for a period, which is twice as long next time. */
  open(now: number): void {
    const spread = 1 - jitter + 2 * jitter * this.#random()
    this.#openUntil = now + this.#nextOpenMs * spread
    this.#nextOpenMs = Math.min(this.#nextOpenMs * 2, this.#settings.longestOpenMs)
    this.#isOnProbation = false
    this.#running.clear()
    this.#probes = 0
  }

  /** Lets one attempt at a time pass from now on. */
  halfOpen(now: number): void {
    this.#openUntil = now
    this.#isOnProbation = false
  }

  /** Closes until the next failure, which opens it for longer: streams may go on to break. */
  closeOnProbation(): void {
    this.#openUntil = 0
    this.#isOnProbation = true
  }

  /** Closes: the account works. */
  close(): void {
    this.#openUntil = 0
    this.#nextOpenMs = this.#settings.openMs
    this.#isOnProbation = false
    this.#running.clear()
  }
}
