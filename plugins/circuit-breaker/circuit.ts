import type { CircuitChange, OpeningReason } from './change.ts'
import type { Evidence } from './evidence.ts'
import { type CircuitState, Gate } from './gate.ts'
import { KeyGates } from './key-gates.ts'
import type { CircuitSettings } from './options.ts'
import type { AttemptId } from './probes.ts'
import { Tally } from './tally.ts'

/**
 * The circuit of one account for one dialect: a gate for all keys, and gates of single keys that fail alone. Its
 * methods take the time as `now`, in milliseconds.
 */
export class Circuit {
  readonly #tally: Tally
  readonly #all: Gate
  readonly #keyGates: KeyGates
  /**
   * The key whose call was the last to fail of those that tried the account while it failed for all. If the next one
   * of another key fails too, the account still fails for all.
   */
  #suspect: string | undefined

  constructor(settings: CircuitSettings, random: () => number) {
    this.#tally = new Tally(settings)
    this.#all = new Gate(undefined, settings, random)
    this.#keyGates = new KeyGates(settings, random)
  }

  /** The gate that calls of a key have to pass. */
  gateOf(keyId: string | undefined, now: number): Gate {
    const own = this.#keyGates.get(keyId, now)
    return own && (this.#all.isClosed || own.state(now) === 'open') ? own : this.#all
  }

  /** The gates that are not closed. */
  gates(now: number): Gate[] {
    return [this.#all, ...this.#keyGates.all(now)].filter((gate) => !gate.isClosed)
  }

  /** The gravest state of its gates. */
  state(now: number): CircuitState {
    const states = this.gates(now).map((gate) => gate.state(now))
    return states.includes('open') ? 'open' : (states[0] ?? 'closed')
  }

  /** When the last open period of its gates ends, in milliseconds; 0 if all are closed. */
  openUntil(now: number): number {
    return Math.max(0, ...this.gates(now).map(({ openUntil }) => openUntil))
  }

  /** Whether no gate has been opened since all of them closed. */
  get isClosed(): boolean {
    return this.#all.isClosed && this.#keyGates.areClosed
  }

  /** Whether an attempt may be the probe of a gate, or may decide about one: `record` needs its ids then. */
  get hasGates(): boolean {
    return !this.#all.isClosed || this.#all.isOnProbation || this.#keyGates.size > 0
  }

  /** Consecutive failures of calls that count. */
  get failuresInRow(): number {
    return this.#tally.failuresInRow
  }

  /** Ends a probe without evidence. */
  releaseProbe(attempt: AttemptId): void {
    this.#endProbe(attempt)
  }

  /** Records the first output of an attempt: that of a probe closes its gate. */
  recordOutput(attempt: AttemptId): CircuitChange | undefined {
    const ended = this.#endProbe(attempt)
    if (!ended) return undefined
    if (ended.gate === this.#all) this.#keyGates.delete(ended.probe.keyId)
    ended.gate.closeOnProbation()
    this.#tally.clear()
    return { closed: ended.gate }
  }

  /**
   * Records the end of an attempt. Returns the change that follows from it. While a gate is open, attempts that have
   * to pass it count only if they are its probe.
   */
  record(evidence: Evidence, attempt: AttemptId, now: number): CircuitChange | undefined {
    const ended = this.#endProbe(attempt)
    if (evidence === 'neutral') return undefined
    if (evidence === 'success') {
      return ended ? this.#probeSucceeded(ended) : this.#recordSuccess(attempt.keyId, now)
    }
    if (ended) return this.#probeFailed(ended.gate, attempt.keyId, now)
    return this.#all.isClosed
      ? this.#recordFailure(attempt.keyId, now)
      : this.#recordLateFailure(attempt.keyId, now)
  }

  /** Records the end of an attempt while there are no gates. */
  recordWithoutGates(evidence: Evidence, keyId: string | undefined, now: number) {
    if (evidence === 'success') this.#recordSuccess(keyId, now)
    return evidence === 'failure' ? this.#recordFailure(keyId, now) : undefined
  }

  /** Forgets the gates of keys that have not returned. Returns those that were not closed. */
  expire(now: number): readonly Gate[] {
    return this.#keyGates.expire(now)
  }

  /** Closes all gates without a probe. Returns whether any was not closed. */
  reset(): boolean {
    const wasClosed = this.isClosed
    this.#all.close()
    this.#keyGates.clear()
    this.#suspect = undefined
    this.#tally.clear()
    return !wasClosed
  }

  #endProbe(attempt: AttemptId): { gate: Gate; probe: AttemptId } | undefined {
    const probe = this.#all.releaseProbe(attempt)
    return probe ? { gate: this.#all, probe } : this.#keyGates.endProbe(attempt)
  }

  #probeSucceeded({ gate, probe }: { gate: Gate; probe: AttemptId }): CircuitChange {
    this.#keyGates.delete(gate.keyId ?? probe.keyId)
    if (gate === this.#all || this.#all.isOnProbation) this.#close()
    this.#tally.clear()
    return { closed: gate }
  }

  #close(): void {
    this.#all.close()
    this.#suspect = undefined
  }

  /** A probe is evidence of its key alone. */
  #probeFailed(gate: Gate, keyId: string | undefined, now: number): CircuitChange {
    this.#tally.addProbeFailure()
    return gate.keyId === undefined
      ? this.#suspectKey(keyId, 'probe', now)
      : this.#openForKey(gate.keyId, 'probe', now)
  }

  /** Records the failure of a call that began before the account failed for all. */
  #recordLateFailure(keyId: string | undefined, now: number): CircuitChange | undefined {
    const isNews = this.#suspect !== undefined && keyId !== this.#suspect
    return isNews ? this.#openAll('others', now) : undefined
  }

  #recordFailure(keyId: string | undefined, now: number): CircuitChange | undefined {
    const own = this.#keyGates.get(keyId, now)
    if (own && !own.isClosed) return undefined
    this.#tally.addFailure(keyId, now)
    if (this.#all.isOnProbation) return this.#suspectKey(keyId, 'probation', now)
    if (own?.isOnProbation) return this.#openForKey(keyId!, 'probation', now)
    if (!this.#tally.exceedsLimits(now)) return undefined
    const reason = this.#tally.isRow ? 'row' : 'share'
    const blamed = this.#tally.blamedKey(now)
    if (blamed !== undefined) return this.#blame(blamed, reason, now)
    return this.#openAll(this.isClosed ? reason : 'others', now)
  }

  /** The gate of a blamed key is open already if a call of another key fails beside it. */
  #blame(keyId: string, reason: OpeningReason, now: number): CircuitChange | undefined {
    const gate = this.#keyGates.get(keyId, now)
    return gate && !gate.isClosed ? undefined : this.#openForKey(keyId, reason, now)
  }

  #recordSuccess(keyId: string | undefined, now: number): undefined {
    const gate = this.gateOf(keyId, now)
    if (!gate.isClosed) return
    if (gate.isOnProbation) this.#keyGates.delete(keyId)
    if (this.#all.isOnProbation) this.#close()
    this.#tally.addSuccess(now)
  }

  /** A call has failed that tried the account for all: it may be due to its key, until one of another key fails. */
  #suspectKey(keyId: string | undefined, reason: OpeningReason, now: number): CircuitChange {
    const isOther = this.#suspect !== undefined && this.#suspect !== keyId
    if (keyId === undefined || isOther) return this.#openAll(isOther ? 'others' : reason, now)
    this.#suspect = keyId
    this.#all.halfOpen(now)
    return this.#openForKey(keyId, reason, now)
  }

  #openForKey(keyId: string, reason: OpeningReason, now: number): CircuitChange {
    this.#tally.beginWindow()
    return { opened: this.#keyGates.open(keyId, now, this.#all.nextOpenMs), reason }
  }

  #openAll(reason: OpeningReason, now: number): CircuitChange {
    this.#keyGates.clear()
    this.#suspect = undefined
    this.#tally.beginWindow()
    this.#all.open(now)
    return { opened: this.#all, reason }
  }
}
