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

interface Probe extends AttemptId {
  /** In milliseconds. */
  readonly since: number
}

/** Probes whose outcomes a gate waits for. */
const most = 20

/**
 * The running probes of a gate: one at a time, but a reply in one piece may take minutes while the account works. So
 * each keeps the calls of other keys out for `exclusiveMs` only, and those of its own key for twice as long: a key
 * with long calls leaves the next probe to another key.
 */
export class Probes {
  readonly #exclusiveMs: number
  #running: readonly Probe[] = []

  constructor(exclusiveMs: number) {
    this.#exclusiveMs = exclusiveMs
  }

  /** Whether a call of a key has to leave the account to the probes now. */
  keepOut(keyId: string | undefined, now: number): boolean {
    return this.#running.some(
      (probe) => now < probe.since + this.#exclusiveMs * (probe.keyId === keyId ? 2 : 1),
    )
  }

  /** Whether a probe has begun less than `ms` ago and has no outcome yet. */
  hasRecent(ms: number, now: number): boolean {
    return this.#running.some((probe) => now < probe.since + ms)
  }

  /** Adds a probe; the oldest ones are forgotten. */
  begin({ exchange, attempt, keyId }: AttemptId, now: number): void {
    // Only the ids: the gate must not keep the exchange in memory.
    const probe = { exchange: { id: exchange.id }, attempt, keyId, since: now }
    this.#running = [...this.#running.slice(1 - most), probe]
  }

  /** Ends a probe. Returns the probe if it was the attempt. */
  end({ exchange, attempt }: AttemptId): AttemptId | undefined {
    if (this.#running.length === 0) return undefined
    const isIt = (probe: Probe) => probe.exchange.id === exchange.id && probe.attempt === attempt
    const ended = this.#running.find(isIt)
    if (ended) this.#running = this.#running.filter((probe) => probe !== ended)
    return ended
  }

  /** Forgets all. */
  clear(): void {
    this.#running = []
  }
}
