import { isThenable } from '../lib/maybe-promise.ts'
import { Queue } from '../lib/queue.ts'
import type { GenerateEvent } from './events.ts'
import type { Emit, EventMapper } from './mapper.ts'

/** A mapper, and the events that wait for it. */
interface Stage {
  readonly mapper: EventMapper
  readonly waiting: Queue<GenerateEvent>
  isBusy: boolean
}

/**
 * A chain of mappers of which some wait. While one does, the events that arrive at it are held: as many
 * as the account's bytes contain that have been read by then, since the reader pauses the account.
 */
export class WaitingMappers {
  readonly #stages: readonly Stage[]
  readonly #last: Emit
  readonly #abort = new AbortController()
  #step: PromiseWithResolvers<void> | undefined
  #isOver = false

  /** The first mapper gets the account's events, `last` the result. */
  constructor(mappers: readonly EventMapper[], last: Emit) {
    this.#stages = mappers.map((mapper) => ({
      mapper,
      waiting: new Queue<GenerateEvent>(),
      isBusy: false,
    }))
    this.#last = last
  }

  /**
   * Present while a mapper waits: resolves when more events have passed, after which another mapper may
   * wait. Rejects as the mapper does.
   */
  get step(): Promise<void> | undefined {
    return this.#step?.promise
  }

  /** Passes the next event of the account. Throws as a mapper does that does not wait. */
  push(event: GenerateEvent): void {
    this.#pass(0, event)
  }

  /** Ends the chain: no event passes any more, and `signal` aborts for mappers that wait. */
  cancel(): void {
    if (this.#isOver) return
    this.#isOver = true
    for (const { waiting } of this.#stages) waiting.clear()
    this.#abort.abort()
  }

  #pass(index: number, event: GenerateEvent): void {
    if (this.#isOver) return
    const stage = this.#stages[index]
    if (!stage) this.#last(event)
    else if (stage.isBusy) stage.waiting.push(event)
    else this.#map(stage, index, event)
  }

  #map(stage: Stage, index: number, event: GenerateEvent): void {
    const emit: Emit = (changed) => this.#pass(index + 1, changed)
    const done = stage.mapper.map(event, emit, this.#abort.signal)
    if (!isThenable(done)) return
    stage.isBusy = true
    if (!this.#step) {
      this.#step = Promise.withResolvers()
      // The reader may have ended, and then awaits no step.
      void this.#step.promise.catch(() => {})
    }
    done.then(
      () => this.#goOn(stage, index),
      (error: unknown) => this.#fail(error),
    )
  }

  #goOn(stage: Stage, index: number): void {
    const { waiting } = stage
    stage.isBusy = false
    try {
      while (!stage.isBusy && !waiting.isEmpty) this.#map(stage, index, waiting.take())
    } catch (error) {
      return this.#fail(error)
    }
    const step = this.#step
    this.#step = this.#stages.some(({ isBusy }) => isBusy) ? Promise.withResolvers() : undefined
    void this.#step?.promise.catch(() => {})
    step?.resolve()
  }

  #fail(error: unknown): void {
    const step = this.#step
    this.#step = undefined
    this.cancel()
    step?.reject(error)
  }
}
