import { GatewayError } from '../errors.ts'
import { unlessGone, type Waiter } from './unless-gone.ts'

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
