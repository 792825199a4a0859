import { TextMap, TextSet } from '../../../../../src/lib/text-map.ts'

interface NumberedCall {
  /** The `index` that the account gave to the call. */
  readonly slot: number | undefined
  /** The `id` that the account gave to the call. */
  readonly upstreamId: string | undefined
  readonly id: string
}

/** The tool calls of one choice in order, indexed by the account's indexes and ids: a choice may have thousands. */
export class CallTable<C extends NumberedCall> {
  readonly #all: C[] = []
  /** The last call of each slot. */
  readonly #bySlot = new Map<number, C>()
  /** The first call of each of the account's ids. */
  readonly #byUpstreamId = new TextMap<C>()
  readonly #ids = new TextSet()

  get size(): number {
    return this.#all.length
  }

  get last(): C | undefined {
    return this.#all.at(-1)
  }

  /** Returns the calls in the order in which they began. */
  values(): ArrayIterator<C> {
    return this.#all.values()
  }

  add(call: C): void {
    const { slot, upstreamId, id } = call
    this.#all.push(call)
    this.#ids.add(id)
    if (slot !== undefined) this.#bySlot.set(slot, call)
    if (upstreamId !== undefined && !this.#byUpstreamId.has(upstreamId)) {
      this.#byUpstreamId.set(upstreamId, call)
    }
  }

  /** Whether a call has this id in the reply for the client. */
  hasId(id: string): boolean {
    return this.#ids.has(id)
  }

  /** Returns the last call with this `index`. */
  lastIn(slot: number): C | undefined {
    return this.#bySlot.get(slot)
  }

  /** Returns the first call with this id of the account. */
  firstWith(upstreamId: string): C | undefined {
    return this.#byUpstreamId.get(upstreamId)
  }
}
