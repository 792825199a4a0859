import { GatewayError } from '../errors.ts'
import type { Understood } from '../exchange.ts'
import { createTurns } from './turns.ts'
import { unlessGone } from './unless-gone.ts'

/** Each result may be as large as several replies. */
const mostAtOnce = 4

/** How long one waits for its turn, in milliseconds. */
const longestWaitMs = 20_000

/** Results that accounts tell again each time: large, and asked for by many at once. */
export interface SharedReads {
  /**
   * What `read` gives, which is called once where several want the same at the same time, and no
   * more than four of which go on at once. Rejects as it does; with `lookup_unavailable` where the
   * others do not end in time, and with `client_closed_request` once the client has left.
   */
  share<T>(what: string, exchange: Reader, read: () => Promise<T>): Promise<T>
}

/** Who reads. */
export type Reader = Pick<Understood, 'client' | 'call'>

export function createSharedReads(waitMs = longestWaitMs): SharedReads {
  const underway = new Map<string, Promise<unknown>>()
  const turns = createTurns(mostAtOnce, waitMs)

  return {
    async share<T>(what: string, exchange: Reader, read: () => Promise<T>): Promise<T> {
      for (;;) {
        const shared = underway.get(what) as Promise<T> | undefined
        if (!shared) break
        try {
          return await unlessGone(shared, exchange)
        } catch (error) {
          // It was another client that left: somebody has to read on.
          if (!hasLeft(error) || exchange.client.gone) throw error
        }
      }
      const own = turns.take(exchange, read).finally(() => underway.delete(what))
      underway.set(what, own)
      return own
    },
  }
}

function hasLeft(error: unknown): boolean {
  return GatewayError.isInstance(error) && error.code === 'client_closed_request'
}
