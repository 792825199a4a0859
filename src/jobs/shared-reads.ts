import { GatewayError } from '../contract/errors.ts'
import type { Understood } from '../contract/exchange.ts'

/** Who waits, and whether it goes on when its client leaves. */
export type Waiter = Pick<Understood, 'client' | 'call'>

/** What comes of work that is others' too; `client_closed_request` once this client has left. */
export function unlessGone<T>(work: Promise<T>, { client, call }: Waiter): Promise<T> {
  if (call.finishWithoutClient) return work
  return new Promise((resolve, reject) => {
    const leave = () => {
      reject(new GatewayError('client_closed_request', 'The client closed the request.'))
    }
    const stop = client.onGone(leave)
    void work.then(resolve, reject).finally(stop)
  })
}

/** Work of which no more than so much goes on at once. */
export interface Turns {
  /** Begins when it is its turn. Rejects with `lookup_unavailable` where that takes too long. */
  take<T>(waiter: Waiter, work: () => Promise<T>): Promise<T>
}

/** `waitMs` in milliseconds. */
export function createTurns(most: number, waitMs: number): Turns {
  let busy = 0
  const queue: (() => void)[] = []

  async function wait(waiter: Waiter): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const timer = setTimeout(() => reject(tooMany()), waitMs)
    queue.push(resolve)
    try {
      await unlessGone(promise, waiter)
    } catch (error) {
      const place = queue.indexOf(resolve)
      // Its turn came as it left.
      if (place < 0) pass()
      else queue.splice(place, 1)
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  function pass(): void {
    const next = queue.shift()
    if (next) next()
    else busy--
  }

  return {
    async take(waiter, work) {
      if (busy < most) busy++
      else await wait(waiter)
      try {
        return await work()
      } finally {
        pass()
      }
    },
  }
}

function tooMany(): GatewayError {
  const message = 'Too many results are being read at the moment.'
  return new GatewayError('lookup_unavailable', message, { headers: { 'retry-after-ms': '1000' } })
}

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
