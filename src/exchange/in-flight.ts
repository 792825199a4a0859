import type { Ended, Received } from '../contract/exchange.ts'
import type { ExchangeMonitor } from '../contract/monitor.ts'

/** Exchanges in flight. */
export interface InFlight {
  /** In no order. */
  readonly inFlight: readonly Ended[]
}

/**
 * Follows the exchanges in flight. The last one takes the place of one that ends: a set would leave old
 * tables behind (see `createTicker`).
 */
export function followInFlight(): ExchangeMonitor & InFlight {
  const inFlight: Ended[] = []
  return {
    inFlight,
    begin(exchange: Received) {
      exchange.progress.slot = inFlight.push(exchange) - 1
    },
    end({ progress }) {
      const { slot } = progress
      if (slot < 0) return
      progress.slot = -1
      const last = inFlight.pop()
      if (!last || slot === inFlight.length) return
      inFlight[slot] = last
      last.progress.slot = slot
    },
  }
}
