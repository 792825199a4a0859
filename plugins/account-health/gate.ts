import type { Hold } from './hold.ts'

/** The first open period; it doubles with each failed probe. Milliseconds. */
const firstOpenMs = 10_000
/** The longest open period, without its random variation. */
const longestOpenMs = 120_000
/** Random variation of the open periods, as a share, so that replicas do not probe simultaneously. */
const jitter = 0.2
/** Probes whose outcomes a gate waits for. */
const mostProbes = 20

/** Identifies one attempt of one exchange. It must not keep the exchange in memory. */
export interface AttemptId {
  readonly exchangeId: string
  readonly attempt: number
  /** The id of the key whose call it is. Absent: the call has not reached the account. */
  readonly keyId: string | undefined
}

interface Probe extends AttemptId {
  /** In milliseconds. */
  readonly since: number
}

/**
 * Lets calls of one key or of all pass or holds them back: open for a time, then half-open with probes, then closed
 * on probation. Times are in milliseconds on the plugin's clock.
 */
export class Gate {
  /** The key whose calls it holds back; `undefined`: all. */
  readonly keyId: string | undefined
  /** Why it has opened. */
  #cause = ''
  /** 0 if the gate is closed. */
  #openUntil = 0
  #nextOpenMs: number
  #probes: readonly Probe[] = []
  #wasProbed = false

  /** `openMs`: the first open period. */
  constructor(keyId: string | undefined, openMs = firstOpenMs) {
    this.keyId = keyId
    this.#nextOpenMs = openMs
  }

  /** Closed by the first output of a probe: no attempt has succeeded since, and the next failure opens it again. */
  get isOnProbation(): boolean {
    return this.#openUntil === 0
  }

  isOpen(now: number): boolean {
    return now < this.#openUntil
  }

  /** Whether its key has not returned for a long time. */
  isExpired(now: number): boolean {
    const isProbed = this.#probes.some(({ since }) => now < since + longestOpenMs)
    return !this.isOnProbation && now >= this.#openUntil + longestOpenMs && !isProbed
  }

  /** The next open period, in milliseconds. */
  get nextOpenMs(): number {
    return this.#nextOpenMs
  }

  /** The gate as operators see it; `undefined` while it is closed. */
  hold(now: number): Hold | undefined {
    if (this.isOnProbation) return undefined
    return {
      kind: 'circuit',
      cause: this.#cause,
      until: this.#openUntil,
      keyId: this.keyId,
      isProbing: !this.isOpen(now),
    }
  }

  /**
   * Whether the probes of a half-open gate leave no room for a probe of this key. A reply in one piece may take
   * minutes while the account works, so that each probe keeps the calls of other keys out for 10 s, and its own key's
   * calls for twice as long: a key with long calls leaves the next probe to another key.
   */
  keepsOut(keyId: string | undefined, now: number): boolean {
    return this.#probes.some(
      (probe) => now < probe.since + firstOpenMs * (probe.keyId === keyId ? 2 : 1),
    )
  }

  /** Makes an attempt a probe. Returns whether it is the first one since the gate opened. */
  beginProbe(attempt: AttemptId, now: number): boolean {
    this.#probes = [...this.#probes.slice(1 - mostProbes), { ...attempt, since: now }]
    const isFirst = !this.#wasProbed
    this.#wasProbed = true
    return isFirst
  }

  /** Ends a probe. Returns it if it was the attempt. */
  endProbe({ exchangeId, attempt }: AttemptId): AttemptId | undefined {
    const ended = this.#probes.find(
      (probe) => probe.exchangeId === exchangeId && probe.attempt === attempt,
    )
    if (ended) this.#probes = this.#probes.filter((probe) => probe !== ended)
    return ended
  }

  /** Opens for a period, which is twice as long next time. */
  open(cause: string, now: number): void {
    this.#cause = cause
    this.#openUntil = now + this.#nextOpenMs * (1 - jitter + 2 * jitter * Math.random())
    this.#nextOpenMs = Math.min(this.#nextOpenMs * 2, longestOpenMs)
    this.#probes = []
    this.#wasProbed = false
  }

  /** Lets one attempt at a time pass from now on. */
  halfOpen(cause: string, now: number): void {
    this.#cause = cause
    this.#openUntil = now
  }

  /** Closes until the next failure, which opens it for longer: streams may go on to break. */
  closeOnProbation(): void {
    this.#openUntil = 0
  }
}
