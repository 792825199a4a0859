/**
 * How long the end of the process waits for a collector that is away or slow, in milliseconds. Traces,
 * metrics and logs wait at the same time.
 */
export const lastMs = 1_200

/**
 * The least time for what came up while the process ended, in milliseconds: most of `lastMs` may be over by then.
 */
const leastMs = 200

/** The time that the last export of a signal has. */
interface LastTime {
  /** Begins it, unless it has begun. */
  begin(): void
  /** What is left of it, in milliseconds. It begins if it has not. */
  left(): number
}

/** The time for the last export of one signal. */
export function lastTime(): LastTime {
  /** By `performance.now()`. */
  let endsAt: number | undefined
  const begin = () => (endsAt ??= performance.now() + lastMs)
  return { begin, left: () => Math.max(leastMs, begin() - performance.now()) }
}

/** Sends a signal to a collector. Disposing of it sends what is left, for a bounded time. */
export interface Sender extends AsyncDisposable {
  /** Begins to send what there is, before everything that is disposed of first has ended. Does not wait. */
  sendLast(): void
}
