import type { GenerateEvent } from './events.ts'

/**
 * Events in the order of their arrival. Taking one moves no other, as `shift` of an array does: tens of
 * thousands may wait.
 */
export class EventQueue {
  #events: (GenerateEvent | undefined)[] = []
  #taken = 0

  get isEmpty(): boolean {
    return this.#taken === this.#events.length
  }

  /** The event that `take` takes next. */
  get first(): GenerateEvent | undefined {
    return this.#events[this.#taken]
  }

  add(event: GenerateEvent): void {
    this.#events.push(event)
  }

  /** Takes the first event. The queue must have one. */
  take(): GenerateEvent {
    const event = this.#events[this.#taken]!
    this.#events[this.#taken++] = undefined
    // A queue that is never empty must not keep a place for each event that it has ever had.
    if (this.#taken > this.#events.length / 2) this.#compact()
    return event
  }

  clear(): void {
    this.#events = []
    this.#taken = 0
  }

  #compact(): void {
    this.#events = this.#events.slice(this.#taken)
    this.#taken = 0
  }
}
