import type { Ended } from '../../contract/exchange.ts'
import { type EndedExchange, type ExchangePlace, copyOf, createPlace } from './exchanges.ts'

/** Ended exchanges that a process remembers. */
const mostRecent = 1_000

/** The ended exchanges without a caller that a process remembers: anyone can send requests without a valid key. */
const mostWithoutCaller = 100

/** Places for records, of which the oldest is the next to be written again. */
class Ring {
  readonly size: number
  readonly #places: ExchangePlace[] = []
  /** When each was taken, see `RecentExchanges`. */
  readonly #turns: Float64Array
  #next = 0

  constructor(size: number) {
    this.size = size
    this.#turns = new Float64Array(size)
  }

  take(turn: number): ExchangePlace {
    const at = this.#next
    this.#next = at + 1 === this.size ? 0 : at + 1
    this.#turns[at] = turn
    return (this.#places[at] ??= createPlace())
  }

  /** When the record of an age was taken: 1 for the newest. 0: no record has this age. */
  turnOf(age: number): number {
    return age > this.#places.length ? 0 : this.#turns[this.#indexOf(age)]!
  }

  placeOf(age: number): ExchangePlace {
    return this.#places[this.#indexOf(age)]!
  }

  #indexOf(age: number): number {
    return (this.#next - age + this.size) % this.size
  }
}

/**
 * The exchanges that ended last. Those with a caller and those without have places of their own, so that a
 * flood of requests without a valid key hides at most a hundred others. No place is made for an exchange
 * once all are there.
 */
export class RecentExchanges {
  readonly #ofCallers = new Ring(mostRecent)
  readonly #others = new Ring(mostWithoutCaller)
  #turns = 0

  /** The place of an exchange that has just ended. */
  take({ caller }: Ended): ExchangePlace {
    return (caller ? this.#ofCallers : this.#others).take(++this.#turns)
  }

  /** Copies of the last 1,000, in the order of their ends, the newest first. */
  *newestFirst(): Generator<EndedExchange> {
    let age = 1
    let otherAge = 1
    for (let left = mostRecent; left > 0; left--) {
      const turn = this.#ofCallers.turnOf(age)
      const otherTurn = this.#others.turnOf(otherAge)
      if (turn === 0 && otherTurn === 0) return
      const newest =
        turn > otherTurn ? this.#ofCallers.placeOf(age++) : this.#others.placeOf(otherAge++)
      yield copyOf(newest)
    }
  }
}
