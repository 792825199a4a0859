import type { GenerateEvent, PartEvent } from '../../src/generate/events.ts'

/** What is wrong with the order of events, by the words of `GenerateEvent`. */
export function disorderOf(events: readonly GenerateEvent[]): string[] {
  const order = new Order()
  for (const event of events) order.push(event)
  return order.complaints
}

class Order {
  readonly complaints: string[] = []
  /** Parts that are open, with their choices. */
  readonly #open = new Map<number, number>()
  readonly #stopped = new Set<number>()
  #parts = 0
  #count = 0
  #isOver = false

  push(event: GenerateEvent): void {
    this.#expect(!this.#isOver, event, 'after the end')
    if (event.type !== 'error') {
      this.#expect((event.type === 'start') === (this.#count === 0), event, 'out of place')
    }
    this.#count++
    switch (event.type) {
      case 'part':
        return this.#begin(event)
      case 'delta':
        this.#expect(event.text !== '', event, 'is empty')
        return this.#expect(this.#open.has(event.index), event, 'of no open part')
      case 'signature':
      case 'citation':
        return this.#expect(this.#open.has(event.index), event, 'of no open part')
      case 'end':
        return this.#expect(this.#open.delete(event.index), event, 'of no open part')
      case 'stop':
        return this.#stop(event.choice, event)
      case 'finish':
        this.#expect(this.#open.size === 0, event, 'before all parts ended')
        this.#expect(this.#stopped.size > 0, event, 'without a stop')
        this.#isOver = true
        return
      case 'error':
        this.#isOver = true
    }
  }

  #begin(event: PartEvent): void {
    this.#expect(event.index === this.#parts++, event, 'leaves a gap')
    this.#expect(!this.#stopped.has(event.choice), event, 'after its choice has stopped')
    this.#open.set(event.index, event.choice)
  }

  #stop(choice: number, event: GenerateEvent): void {
    this.#expect(![...this.#open.values()].includes(choice), event, 'before its parts ended')
    this.#expect(!this.#stopped.has(choice), event, 'comes twice')
    this.#stopped.add(choice)
  }

  #expect(holds: boolean, { type }: GenerateEvent, what: string): void {
    if (!holds) this.complaints.push(`${this.#count}: ${type} ${what}`)
  }
}
