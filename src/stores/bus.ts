/**
 * Carries messages between the processes on a store: over local sockets on a `file:` store, by publications on
 * Redis, within the process on `memory:`. A message may be lost, and none is stored.
 */
export interface Bus {
  /**
   * Sends a message to all other processes, or to one. Never throws. A transport may hand a message for one
   * process to others too.
   */
  publish(message: string, to?: string): void
  /** Adds a listener, which may also get the messages of its own process. */
  listen(listener: BusListener): void
  close(): Promise<void>
}

/** Receives what processes publish. */
export interface BusListener {
  onMessage(message: string): void
  /** Messages may be lost from now on. */
  onGap(): void
}

/** The largest message, in characters. */
export const longestMessage = 262_144
