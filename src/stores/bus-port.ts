/** Carries messages between the processes of a gateway. A message may be lost, and none is stored. */
export interface Bus {
  /** Sends a message to all other processes. Never throws. */
  publish(message: string): void
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
export const longestMessage = 65_536
