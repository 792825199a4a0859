import { Gate } from './gate.ts'
import type { CircuitSettings } from './options.ts'
import type { AttemptId } from './probes.ts'

/** Keys whose failures an account keeps apart. */
const mostKeys = 20

/** The gates of single keys, whose own requests may be the reason of their failures. */
export class KeyGates {
  readonly #settings: CircuitSettings
  readonly #random: () => number
  readonly #gates = new Map<string, Gate>()

  constructor(settings: CircuitSettings, random: () => number) {
    this.#settings = settings
    this.#random = random
  }

  /** The gate of a key, unless it was never needed, or the key has not returned for a long time. */
  get(keyId: string | undefined, now: number): Gate | undefined {
    const gate = keyId === undefined ? undefined : this.#gates.get(keyId)
    return gate && !this.#isExpired(gate, now) ? gate : undefined
  }

  /** Opens the gate of a key; a new one for `openMs`. */
  open(keyId: string, now: number, openMs: number): Gate {
    const known = this.#gates.get(keyId)
    const gate = known ?? new Gate(keyId, this.#settings, this.#random, openMs)
    this.#gates.delete(keyId)
    this.#gates.set(keyId, gate)
    if (this.#gates.size > mostKeys) this.delete(this.#gates.keys().next().value)
    gate.open(now)
    return gate
  }

  /** The number of gates, also of expired ones. */
  get size(): number {
    return this.#gates.size
  }

  /** Whether no gate is open or half-open, expired ones included. */
  get areClosed(): boolean {
    if (this.#gates.size === 0) return true
    for (const gate of this.#gates.values()) if (!gate.isClosed) return false
    return true
  }

  /** The gates that have not expired. */
  *all(now: number): Generator<Gate> {
    for (const gate of this.#gates.values()) if (!this.#isExpired(gate, now)) yield gate
  }

  /** Forgets the gate of a key. */
  delete(keyId: string | undefined): void {
    if (keyId !== undefined) this.#gates.delete(keyId)
  }

  /** Ends a probe without evidence. Returns it and its gate if it was the attempt. */
  endProbe(attempt: AttemptId): { gate: Gate; probe: AttemptId } | undefined {
    if (this.#gates.size === 0) return undefined
    for (const gate of this.#gates.values()) {
      const probe = gate.releaseProbe(attempt)
      if (probe) return { gate, probe }
    }
    return undefined
  }

  /** Forgets the gates of keys that have not returned, and returns them. */
  expire(now: number): readonly Gate[] {
    if (this.#gates.size === 0) return []
    const expired = [...this.#gates.values()].filter((gate) => this.#isExpired(gate, now))
    for (const gate of expired) this.delete(gate.keyId)
    return expired
  }

  /** Forgets all. */
  clear(): void {
    this.#gates.clear()
  }

  #isExpired(gate: Gate, now: number): boolean {
    return (
      !gate.isClosed &&
      now >= gate.openUntil + this.#settings.longestOpenMs &&
      !gate.isBeingProbed(now)
    )
  }
}
