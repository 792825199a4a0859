/** Those that wait for a turn, in order. */
const waiting: (() => void)[] = []

/**
 * Resolves in a later turn of the event loop, when others have been served. Each turn serves one caller:
 * many that work for a long time would otherwise make one long turn together.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(serveNext)
  })
}

function serveNext(): void {
  const resolve = waiting.shift()
  if (waiting.length > 0) setImmediate(serveNext)
  resolve?.()
}

/** The longest work in one turn of the event loop, in milliseconds. */
const longestMs = 5

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

/** Does short pieces of work one after another, in turns of the event loop, however many are asked for at once. */
export class WorkLine {
  readonly #turns = new Turns()
  #last: Promise<unknown> = Promise.resolve()

  do<Result>(work: () => Result): Promise<Result> {
    const done = this.#last.then(async () => {
      if (this.#turns.isOver) await this.#turns.next()
      return work()
    })
    this.#last = done.catch(() => {})
    return done
  }
}
