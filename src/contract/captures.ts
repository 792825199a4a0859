import type { ExchangeCapture } from './capture.ts'
import type { Received } from './exchange.ts'

/** Begins to capture exchanges. */
export interface Captures {
  /** `undefined` while no capture is on. Never throws. */
  begin(exchange: Received): ExchangeCapture | undefined
}
