/** Processes that are known by their messages. */
const mostSenders = 1_000

/** Finds out how many events of other processes were lost on the way. */
export class Senders {
  readonly #sent = new Map<string, number>()

  /** Forgets all of them: what was lost so far does not matter. */
  clear(): void {
    this.#sent.clear()
  }

  /**
   * Notes a message of a process that has sent `sent` events by now, `isEvent` if it is the last of them.
   * Returns how many were lost since its message before.
   */
  note(from: string, sent: number, isEvent: boolean): number {
    const known = this.#sent.get(from)
    // The oldest first: a map is in the order of its insertions.
    this.#sent.delete(from)
    this.#sent.set(from, sent)
    if (this.#sent.size > mostSenders) this.#sent.delete(this.#sent.keys().next().value ?? '')
    return known === undefined ? 0 : Math.max(0, sent - known - Number(isEvent))
  }
}
