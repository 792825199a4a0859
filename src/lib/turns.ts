import { FairQueue } from './fair-queue.ts'

/** Those that wait for a turn. */
const waiting = new FairQueue<() => void>()

/**
 * Resolves in a later turn of the event loop, when others have been served. Each turn serves one caller:
 * many that work for a long time would otherwise make one long turn together. Owners take turns, so that the work of
 * one API key, however many calls it has, does not slow down that of another as many times.
 */
export function nextTurn(owner = ''): Promise<void> {
  return new Promise((resolve) => {
    // An immediate of an event of a socket runs before other sockets are looked at; its own one runs behind them.
    if (waiting.isEmpty) setImmediate(() => setImmediate(serveNext))
    waiting.add(owner, resolve)
  })
}

function serveNext(): void {
  const resolve = waiting.take()
  if (!waiting.isEmpty) setImmediate(serveNext)
  resolve?.()
}

/** The longest work in one turn of the event loop, in milliseconds. */
const longestMs = 5

/** For whom work is done. */
export interface WorkOf {
  /** The id of the API key whose call it is. Absent: the gateway's own work. */
  readonly owner?: string | undefined
  /** Ends the work. */
  readonly signal?: AbortSignal | undefined
}

/** Divides long work into turns of the event loop, so that other requests are served meanwhile. */
export class Turns {
  readonly #owner: string | undefined
  readonly #signal: AbortSignal | undefined
  #until = performance.now() + longestMs

  constructor({ owner, signal }: WorkOf = {}) {
    this.#owner = owner
    this.#signal = signal
  }

  /** Whether this turn has lasted long enough. */
  get isOver(): boolean {
    return performance.now() > this.#until
  }

  /** Resolves in a later turn. Rejects with the reason of an aborted signal. */
  async next(): Promise<void> {
    await nextTurn(this.#owner)
    this.#signal?.throwIfAborted()
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
