/**
 * How long the end of the process waits for a collector that is away or slow, in milliseconds. Traces,
 * metrics and logs wait at the same time.
 */
export const lastMs = 1_200

/** Sends a signal to a collector. Disposing of it sends what is left, for a bounded time. */
export interface Sender extends AsyncDisposable {
  /** Begins to send what there is, before everything that is disposed of first has ended. Does not wait. */
  sendLast(): void
}
