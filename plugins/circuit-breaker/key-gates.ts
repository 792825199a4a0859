import { Gate } from './gate.ts'
import type { CircuitSettings } from './options.ts'

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

  /** The gates that have not expired. */
  *all(now = 0): Generator<Gate> {
    for (const gate of this.#gates.values()) if (!this.#isExpired(gate, now)) yield gate
  }

  /** Forgets the gate of a key. */
  delete(keyId: string | undefined): void {
    if (keyId !== undefined) this.#gates.delete(keyId)
  }

  /** Forgets the gates of keys that have not returned. */
  expire(now: number): void {
    for (const [keyId, gate] of this.#gates)
      if (this.#isExpired(gate, now)) this.#gates.delete(keyId)
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
