import { type Evidence, RecentAttempts } from './recent-attempts.ts'
import { type AttemptId, Gate } from './gate.ts'

/** Keys whose failures a circuit keeps apart. */
const mostKeys = 20

/** The failures that a circuit remembers, and reports of each gate. */
const mostRemembered = 10
const mostTold = 3

/** A failed call, for operators. */
interface FailedCall extends Pick<AttemptId, 'exchangeId' | 'keyId'> {
  readonly at: number
  readonly cause: string
}

/** Called with each change of a gate, for the log. */
type Report = (level: 'info' | 'warn', message: string, gate: Gate) => void

interface EndedProbe {
  readonly gate: Gate
  readonly probe: AttemptId
}

/**
 * The circuit of one model of an account in one dialect, or of the connections to the account: a gate for all keys,
 * and gates of single keys that fail alone. Times are in milliseconds on the plugin's clock.
 */
export class Circuit {
  readonly #attempts = new RecentAttempts()
  /** The gates that are open, half-open or on probation, by their keys; `undefined`: for all. */
  readonly #gates = new Map<string | undefined, Gate>()
  readonly #report: Report
  /** The newest last. */
  readonly #failures: FailedCall[] = []
  /**
   * The key whose call was the last to fail of the calls that tried the account while it failed for all. If the next
   * call of another key fails too, the account still fails for all.
   */
  #suspect: string | undefined

  constructor(report: Report) {
    this.#report = report
  }

  /** The gate that calls of a key have to pass; `undefined` if no gate holds them back. */
  gateOf(keyId: string | undefined, now: number): Gate | undefined {
    const all = this.#gates.get(undefined)
    const own = this.#ownGate(keyId, now)
    return own && (!all || all.isOnProbation || own.isOpen(now)) ? own : all
  }

  /** The gates that have not expired. */
  *gates(now: number): Generator<Gate> {
    for (const gate of this.#gates.values()) if (!isExpired(gate, now)) yield gate
  }

  /** The last failed calls that a gate concerns, the newest first. */
  failuresOf({ keyId }: Gate): readonly FailedCall[] {
    const own = this.#failures.filter((one) => keyId === undefined || one.keyId === keyId)
    return own.slice(-mostTold).toReversed()
  }

  /** Ends a probe without evidence. */
  releaseProbe(attempt: AttemptId): void {
    this.#endProbe(attempt)
  }

  /** Makes an attempt the probe of a half-open gate. */
  probe(gate: Gate, attempt: AttemptId, now: number): void {
    if (!gate.beginProbe(attempt, now)) return
    this.#report('info', 'circuit half-open: one call probes the account', gate)
  }

  /** Records the first output of an attempt: a probe's output closes its gate. */
  recordOutput(attempt: AttemptId): void {
    const ended = this.#endProbe(attempt)
    if (!ended) return
    const { gate, probe } = ended
    if (gate.keyId === undefined) this.#deleteOwn(probe.keyId)
    gate.closeOnProbation()
    this.#closed(gate)
  }

  /**
   * Records the end of an attempt. While a gate is open, attempts that have to pass it count only if they are its
   * probe.
   */
  record(evidence: Evidence, attempt: AttemptId, now: number): void {
    if (this.#gates.size > 0) this.#expire(now)
    const ended = this.#endProbe(attempt)
    if (evidence === 'neutral') return
    if (evidence !== 'success') this.#remember({ ...attempt, ...evidence, at: now })
    if (evidence === 'success') {
      if (ended) this.#probeSucceeded(ended)
      else this.#succeeded(attempt.keyId, now)
    } else if (ended)
      this.#probeFailed(ended.gate, `the probe ${evidence.cause}`, attempt.keyId, now)
    else if (this.#isHeldForAll) this.#failedLate(evidence.cause, attempt.keyId, now)
    else this.#failed(evidence.cause, attempt.keyId, now)
  }

  /** Closes all gates without a probe. Returns whether any was not closed. */
  reset(): boolean {
    const wasHeld = [...this.#gates.values()].some(({ isOnProbation }) => !isOnProbation)
    this.#gates.clear()
    this.#suspect = undefined
    this.#attempts.clear()
    return wasHeld
  }

  get #isHeldForAll(): boolean {
    return this.#gates.get(undefined)?.isOnProbation === false
  }

  #remember({ exchangeId, keyId, cause, at }: FailedCall): void {
    this.#failures.push({ exchangeId, keyId, cause, at })
    if (this.#failures.length > mostRemembered) this.#failures.shift()
  }

  #ownGate(keyId: string | undefined, now: number): Gate | undefined {
    const own = keyId === undefined ? undefined : this.#gates.get(keyId)
    return own && !isExpired(own, now) ? own : undefined
  }

  #deleteOwn(keyId: string | undefined): void {
    if (keyId !== undefined) this.#gates.delete(keyId)
  }

  #expire(now: number): void {
    for (const [keyId, gate] of this.#gates) {
      if (!isExpired(gate, now)) continue
      this.#gates.delete(keyId)
      this.#report('info', 'circuit closed: its key has not returned', gate)
    }
  }

  #endProbe(attempt: AttemptId): EndedProbe | undefined {
    for (const gate of this.#gates.values()) {
      const probe = gate.endProbe(attempt)
      if (probe) return { gate, probe }
    }
    return undefined
  }

  #closed(gate: Gate): void {
    this.#attempts.clear()
    this.#report('info', 'circuit closed: the account works again', gate)
  }

  #probeSucceeded({ gate, probe }: EndedProbe): void {
    this.#deleteOwn(probe.keyId)
    if (gate.keyId === undefined || this.#gates.get(undefined)?.isOnProbation) this.#closeForAll()
    this.#closed(gate)
  }

  #succeeded(keyId: string | undefined, now: number): void {
    const gate = this.gateOf(keyId, now)
    if (gate && !gate.isOnProbation) return
    if (gate) this.#deleteOwn(keyId)
    if (this.#gates.get(undefined)?.isOnProbation) this.#closeForAll()
    this.#attempts.addSuccess(now)
  }

  #closeForAll(): void {
    this.#gates.delete(undefined)
    this.#suspect = undefined
  }

  /** A probe is evidence of its key alone. */
  #probeFailed(gate: Gate, cause: string, keyId: string | undefined, now: number): void {
    if (gate.keyId === undefined) this.#suspectKey(keyId, cause, now)
    else this.#openForKey(gate.keyId, 'opened again', cause, now)
  }

  /** Records the failure of a call that began before the account failed for all. */
  #failedLate(cause: string, keyId: string | undefined, now: number): void {
    const isNews = this.#suspect !== undefined && keyId !== this.#suspect
    if (isNews) this.#openForOthers(`a call ${cause}`, now)
  }

  #failed(cause: string, keyId: string | undefined, now: number): void {
    const own = this.#ownGate(keyId, now)
    if (own && !own.isOnProbation) return
    this.#attempts.addFailure({ cause, keyId }, now)
    const early = `a call ${cause} before any was complete`
    if (this.#gates.has(undefined)) return this.#suspectKey(keyId, early, now)
    if (own) return this.#openForKey(keyId!, 'opened again', early, now)
    const found = this.#attempts.judge(now)
    if (!found) return
    const { blamed, reason } = found
    if (blamed === undefined) {
      this.#openForAll(this.#gates.size > 0 ? 'opened for all keys' : 'opened', reason, now)
    } else if (this.#ownGate(blamed, now)?.isOnProbation !== false) {
      // The gate of a blamed key is open already if a call of another key fails beside it.
      this.#openForKey(blamed, 'opened', reason, now)
    }
  }

  /** A call has failed that tried the account for all: it may be due to its key, until one of another key fails. */
  #suspectKey(keyId: string | undefined, cause: string, now: number): void {
    if (this.#suspect !== undefined && this.#suspect !== keyId) {
      this.#openForOthers(cause, now)
    } else if (keyId === undefined) this.#openForAll('opened again', cause, now)
    else {
      this.#suspect = keyId
      this.#gates.get(undefined)?.halfOpen(cause, now)
      this.#openForKey(keyId, 'opened again', cause, now)
    }
  }

  #openForKey(keyId: string, what: string, cause: string, now: number): void {
    const gate = this.#gates.get(keyId) ?? new Gate(keyId, this.#gates.get(undefined)?.nextOpenMs)
    this.#gates.delete(keyId)
    this.#gates.set(keyId, gate)
    const keys = [...this.#gates.keys()].filter((key) => key !== undefined)
    if (keys.length > mostKeys) this.#gates.delete(keys[0])
    this.#open(gate, what, cause, now)
  }

  #openForOthers(cause: string, now: number): void {
    this.#openForAll('opened for all keys', `${cause}, after a failure of another key`, now)
  }

  #openForAll(what: string, cause: string, now: number): void {
    const gate = this.#gates.get(undefined) ?? new Gate(undefined)
    this.#gates.clear()
    this.#gates.set(undefined, gate)
    this.#suspect = undefined
    this.#open(gate, what, cause, now)
  }

  #open(gate: Gate, what: string, cause: string, now: number): void {
    this.#attempts.beginWindow()
    gate.open(cause, now)
    this.#report('warn', `circuit ${what}: ${cause}`, gate)
  }
}

/** Only gates of single keys expire: other calls probe the account for all. */
function isExpired(gate: Gate, now: number): boolean {
  return gate.keyId !== undefined && gate.isExpired(now)
}
