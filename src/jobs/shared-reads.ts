import { GatewayError } from '../contract/errors.ts'
import type { Understood } from '../contract/exchange.ts'

/** The exchange that waits. Its call says whether it goes on without the client. */
export type Waiter = Pick<Understood, 'client' | 'call'>

/** The result of shared work. Rejects with `client_closed_request` once this client has left. */
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

/** The maximum of concurrent reads: a result may be as large as several replies. */
const mostAtOnce = 4

/** The maximum wait for a read to begin, in milliseconds. */
const longestWaitMs = 20_000

/** Shares reads of large results between exchanges that request them at the same time. */
export interface SharedReads {
  /**
   * The result of `read`, which is called once for concurrent calls with the same key. At most four
   * reads run at a time. Rejects as `read` does, with `lookup_unavailable` if the read cannot begin in
   * time, and with `client_closed_request` once the client has left.
   */
  share<T>(what: string, exchange: Reader, read: () => Promise<T>): Promise<T>
}

/** The exchange that reads. */
export type Reader = Pick<Understood, 'client' | 'call'>

/** `waitMs` is the maximum wait for a read to begin, in milliseconds. */
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
          // Another client left and ended the read, so this exchange begins a new one.
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
