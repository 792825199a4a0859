import { setTimeout as delay } from 'node:timers/promises'

import type { Gateway } from '../gateway.ts'
import type { Listener } from '../http/listen.ts'

const progressMs = 5000
const pollMs = 20
/** Time for interrupted streams to send their clients a final error event, in milliseconds. */
const finalEventsMs = 500

/** The options of `drain`. */
interface DrainOptions {
  gateway: Gateway
  /** The listener of the API address. */
  listener: Listener
  say: (text: string) => void
  /**
   * Called when no new connection can arrive and no exchange is in flight, or at the deadline; again after further
   * requests over open connections.
   */
  onIdle: () => void
  /** Resolves when no other process accepts connections on the same port. Absent: this process has the port alone. */
  othersStop?: (() => Promise<void>) | undefined
  /** How long the gateway still serves as before, so that balancers see `/readyz` fail. */
  delayMs: number
  /** How long exchanges in flight may take after the delay. */
  timeoutMs: number
}

/**
 * Ends a server. Nothing changes for clients before the delay has passed. Then it stops accepting first, as all workers
 * do, so that clients whose connections end cannot fill the queue of a socket that is about to close.
 */
export async function drain(options: DrainOptions): Promise<void> {
  const { gateway, listener, say, othersStop, delayMs, timeoutMs } = options
  const end = performance.now() + delayMs + timeoutMs + finalEventsMs
  say(`Shutting down: ${inFlight(gateway)}. A second signal aborts them.`)
  if (delayMs > 0) await delay(delayMs)
  const progress = setInterval(() => say(`Still ${inFlight(gateway)}.`), progressMs)
  const { promise: overdue, resolve: noteOverdue } = Promise.withResolvers<void>()
  const deadline = setTimeout(() => {
    say(`The drain timeout has passed: aborting ${inFlight(gateway)}.`)
    gateway.interrupt()
    noteOverdue()
    setTimeout(() => listener.closeNow(), finalEventsMs).unref()
  }, timeoutMs)
  // A process that works all the time takes a second for it, which is part of the timeout.
  await listener.stopAccepting()
  if (othersStop) await Promise.race([othersStop(), overdue])
  gateway.drain()
  await followIdle(options, end)
  clearInterval(progress)
  clearTimeout(deadline)
}

/** Closes the listener, and calls `onIdle`. Resolves when nothing can arrive and no exchange is in flight. */
async function followIdle(
  { gateway, listener, onIdle }: Pick<DrainOptions, 'gateway' | 'listener' | 'onIdle'>,
  end: number,
): Promise<void> {
  let isClosed = false
  const closed = listener.close().then(() => void (isClosed = true))
  let known: number | undefined
  for (;;) {
    const isLast = isClosed
    // Some exchanges continue after their clients have disconnected.
    await untilIdle(gateway, end)
    const requests = listener.lateRequests()
    if (requests !== known) onIdle()
    known = requests
    if (isLast) return
    await Promise.race([closed, delay(pollMs)])
  }
}

async function untilIdle(gateway: Gateway, end: number): Promise<void> {
  while (gateway.inflight() > 0 && performance.now() < end) await delay(pollMs)
}

function inFlight(gateway: Gateway): string {
  const count = gateway.inflight()
  return count === 1 ? '1 exchange in flight' : `${count} exchanges in flight`
}
