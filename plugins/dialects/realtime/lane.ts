import type { MaybePromise } from '../../../src/lib/maybe-promise.ts'
import { isThenable } from '../../../src/lib/maybe-promise.ts'

/** Where the messages of a lane come from. */
interface Source {
  pause(): void
  resume(): void
}

/**
 * The messages of one direction, in their order, one at a time: while one waits, or the other side can take no more, its
 * source is paused.
 */
export class Lane {
  readonly #source: Source
  readonly #serve: (message: Buffer) => MaybePromise<void>
  readonly #fail: (error: unknown) => void
  /** What has arrived behind a message that waits: no more than the source had read already. */
  #waiting: Buffer[] = []
  #isBusy = false
  #isBlocked = false
  #after: (() => void) | undefined

  constructor(
    source: Source,
    serve: (message: Buffer) => MaybePromise<void>,
    fail: (error: unknown) => void,
  ) {
    this.#source = source
    this.#serve = serve
    this.#fail = fail
  }

  push(message: Buffer): void {
    if (this.#isBusy || this.#isBlocked) this.#waiting.push(message)
    else this.#run(message)
  }

  /** The other side can take no more until `unblock`. */
  block(): void {
    this.#isBlocked = true
    this.#source.pause()
  }

  unblock(): void {
    this.#isBlocked = false
    this.#next()
  }

  /** Drops what waits. */
  drop(): void {
    this.#waiting = []
  }

  /** No message follows: calls `after` behind the last one. */
  end(after: () => void): void {
    this.#after = after
    if (!this.#isBusy && !this.#isBlocked) this.#next()
  }

  #run(message: Buffer): void {
    try {
      const served = this.#serve(message)
      if (!isThenable(served)) return
      this.#isBusy = true
      this.#source.pause()
      void served
        .catch((error: unknown) => this.#fail(error))
        .then(() => {
          this.#isBusy = false
          this.#next()
        })
    } catch (error) {
      this.#fail(error)
    }
  }

  #next(): void {
    while (!this.#isBusy && !this.#isBlocked) {
      const message = this.#waiting.shift()
      if (message === undefined) return this.#after ? this.#after() : this.#source.resume()
      this.#run(message)
    }
  }
}
