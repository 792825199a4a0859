/** The bytes that all senders together may bring in one turn of the event loop. */
const mostPerTurn = 2 * 1024 * 1024

/**
 * Limits the bytes that many large senders bring in one turn of the event loop. The system hands over two megabytes
 * of each of fifty connections at once, and reading them takes a tenth of a second. Senders do not wait in
 * the queue of `nextTurn`: many of them would keep work that is under way from its end.
 */
export class Intake {
  /** The senders that have paused, in order. */
  readonly #waiting: (() => void)[] = []
  /** The bytes that have come in this turn. */
  #arrived = 0

  /**
   * Counts bytes of a sender. Returns a promise if this turn has had enough of them: the sender must pause
   * until it resolves.
   */
  takeIn(bytes: number): Promise<void> | undefined {
    if (this.#arrived === 0 && this.#waiting.length === 0) this.#endTurn()
    this.#arrived += bytes
    if (this.#arrived <= mostPerTurn) return undefined
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  /** At the end of the turn one sender goes on: it alone may bring as much as a turn takes. */
  #endTurn(): void {
    setImmediate(() => {
      this.#arrived = 0
      const resolve = this.#waiting.shift()
      if (this.#waiting.length > 0) this.#endTurn()
      resolve?.()
    })
  }
}
