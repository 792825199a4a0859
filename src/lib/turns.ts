import { FairQueue } from './fair-queue.ts'

/** Work that yields where others may be served: `run` does it at once, `runInTurns` in turns of the event loop. */
export type Work<Result> = Generator<undefined, Result, undefined>

/** For whom work is done. */
interface WorkOf {
  /** The id of the API key whose call it is. Absent: the gateway's own work. */
  readonly owner?: string | undefined
  /** Ends the work. */
  readonly signal?: AbortSignal | undefined
}

/** The time after which work gives way at its next `yield`, in milliseconds. */
const turnMs = 10

/** Does work at once. */
export function run<Result>(work: Work<Result>): Result {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}

/**
 * Does work in turns of the event loop, so that other requests are served meanwhile. Rejects as the work throws, and
 * with the reason of an aborted signal.
 */
export async function runInTurns<Result>(
  work: Work<Result>,
  { owner, signal }: WorkOf = {},
): Promise<Result> {
  for (let until = performance.now() + turnMs; ;) {
    const step = work.next()
    if (step.done) return step.value
    if (performance.now() <= until) continue
    await nextTurn(owner)
    signal?.throwIfAborted()
    until = performance.now() + turnMs
  }
}

/** The callers that wait for a turn. */
const waiting = new FairQueue<() => void>()

/**
 * Resolves in a later turn of the event loop, when others have been served. Each turn serves one caller: many that
 * work for a long time would otherwise make one long turn together. Owners take turns, so that the work of one API
 * key, however many calls it has, does not slow down the work of another as many times.
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
