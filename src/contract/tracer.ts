import type { Received, Routed } from './exchange.ts'
import type { ExchangeTrace } from './trace.ts'

/** Begins the trace of each exchange. */
export interface Tracer {
  /** `undefined` for requests that are not traced, such as probes. Never throws. */
  begin(exchange: Received): ExchangeTrace<Routed> | undefined
}
