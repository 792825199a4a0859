import { setTimeout as wait } from 'node:timers/promises'

import type { RemoteAdmin } from '../remote/client.ts'
import { GatewayAway } from '../remote/failures.ts'
import type { LiveNode } from '../remote/nodes.ts'
import { live } from '../remote/operations.ts'

/** How a command follows events. */
interface FollowOptions {
  /** The topics and the filter. */
  readonly variables: object
  /** Ends it. */
  readonly signal: AbortSignal
  /** Says what becomes of the connection. */
  readonly say: (text: string) => void
}

/** The waits before further attempts to connect, in milliseconds. The last one repeats. */
const waits = [250, 500, 1_000, 2_000, 5_000]

/** The event for the gap between two connections, in the form of the gateway's own `Missed`. */
const disconnected: LiveNode = { type: 'Missed', count: null, reason: 'DISCONNECTED' }

/**
 * The events of a running gateway until `signal` aborts. Connects again where the gateway ends or is away,
 * with a `Missed` for the time between. Rejects with `CommandError` if the first connection fails, or the
 * gateway refuses a later one for good.
 */
export async function* follow(
  client: Pick<RemoteAdmin, 'origin' | 'subscribe'>,
  { variables, signal, say }: FollowOptions,
): AsyncGenerator<LiveNode> {
  const connect = () => client.subscribe(live, variables, signal)
  let events = await orAborted(connect(), signal)
  while (events) {
    say(`Following ${client.origin}.`)
    try {
      for await (const { live: event } of events) yield event
      if (!signal.aborted) say(`${client.origin} has ended the events.`)
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof GatewayAway)) throw error
      say(error.message)
    }
    events = await connectAgain(connect, signal)
    if (events) yield disconnected
  }
}

async function connectAgain<Events>(
  connect: () => Promise<Events>,
  signal: AbortSignal,
): Promise<Events | undefined> {
  for (let attempt = 0; !signal.aborted; attempt++) {
    await wait(waits[attempt] ?? waits.at(-1), undefined, { signal }).catch(() => {})
    try {
      if (!signal.aborted) return await connect()
    } catch (error) {
      if (!signal.aborted && !(error instanceof GatewayAway)) throw error
    }
  }
  return undefined
}

/** `undefined` if the work has failed because `signal` aborts it. */
async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (signal.aborted) return undefined
    throw error
  }
}
