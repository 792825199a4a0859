import type { Ended, Received } from './exchange.ts'
import type { Summary } from './outcome.ts'

/** Observes exchanges. Its methods run for every request, so they must cost next to nothing. */
export interface ExchangeMonitor {
  begin(exchange: Received): void
  /** Called when all tasks of the exchange have ended. */
  end(exchange: Ended, summary: Summary): void
}
