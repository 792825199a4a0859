import { setTimeout as delay } from 'node:timers/promises'

import type { Gateway } from '../gateway.ts'
import type { Listener } from '../http/listen.ts'

const progressInterval = 5000
const pollMs = 20
/** For streams to tell their clients, in their own dialect, that they end here. */
const finalEventsMs = 500

export interface DrainOptions {
  gateway: Gateway
  clients: Listener
  say: (text: string) => void
  /** How long new connections are still taken, for balancers to notice that `/readyz` fails. */
  delayMs: number
  /** How long exchanges in flight may take, all in all. */
  timeoutMs: number
}

/** Ends a server: nothing new comes in, and what is in flight gets its time. */
export async function drain(options: DrainOptions): Promise<void> {
  const { gateway, clients, say, delayMs, timeoutMs } = options
  const end = performance.now() + delayMs + timeoutMs + finalEventsMs
  gateway.drain()
  say(`Shutting down: ${inFlight(gateway)}. A second signal ends them at once.`)
  if (delayMs > 0) await delay(delayMs)
  const progress = setInterval(() => say(`Still ${inFlight(gateway)}.`), progressInterval)
  const deadline = setTimeout(() => {
    say(`Time is up: ${inFlight(gateway)}, ended.`)
    gateway.interrupt()
    setTimeout(() => clients.closeNow(), finalEventsMs).unref()
  }, timeoutMs)
  await clients.close()
  // Some work goes on for clients that have left.
  while (gateway.inflight() > 0 && performance.now() < end) await delay(pollMs)
  clearInterval(progress)
  clearTimeout(deadline)
}

function inFlight(gateway: Gateway): string {
  const count = gateway.inflight()
  return count === 1 ? '1 exchange in flight' : `${count} exchanges in flight`
}
