/**
 * How long the end of the process waits for a collector that is away or slow, in milliseconds. Traces,
 * metrics and logs wait at the same time.
 */
const lastMs = 1_200

/** The least time for the export of late items, in milliseconds: most of `lastMs` may be over by then. */
const leastMs = 200

/** The time that the last export of a signal has. */
interface LastTime {
  /** Starts the time; a second call starts it again. */
  begin(): void
  /** The time that is left, in milliseconds. Starts the time if it has not started. */
  left(): number
  /** The time that has passed, in whole milliseconds. */
  passed(): number
}

/** The time for the last export of one signal. */
export function lastTime(): LastTime {
  /** By `performance.now()`. */
  let beganAt: number | undefined
  const passed = () => performance.now() - (beganAt ??= performance.now())
  return {
    begin: () => void (beganAt = performance.now()),
    left: () => Math.max(leastMs, lastMs - passed()),
    passed: () => Math.round(passed()),
  }
}

/** Sends a signal to a collector. Its disposal sends the rest, for a bounded time. */
export interface Sender extends AsyncDisposable {
  /**
   * Begins to send all waiting items while other parts of the gateway still end; again after further calls. Does not
   * wait.
   */
  sendLast(): void
}
