import { setImmediate as immediately } from 'node:timers/promises'

/** Resolves in a later turn of the event loop, when others have been served. */
export function nextTurn(): Promise<void> {
  return immediately()
}

/** The longest work in one turn of the event loop, in milliseconds. */
const longestMs = 10

/** Divides long work into turns of the event loop, so that other requests are served meanwhile. */
export class Turns {
  #until = performance.now() + longestMs

  /** Whether this turn has lasted long enough. */
  get isOver(): boolean {
    return performance.now() > this.#until
  }

  /** Resolves in a later turn. */
  async next(): Promise<void> {
    await nextTurn()
    this.#until = performance.now() + longestMs
  }
}
