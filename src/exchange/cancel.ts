import { GatewayError } from '../contract/errors.ts'
import type { Received } from '../contract/exchange.ts'
import type { Ticker } from '../lib/ticker.ts'

/**
 * Ends an exchange for an operator: its attempts, with an error in the client's dialect, or its connection if
 * no attempt has begun.
 */
export function cancelExchange(exchange: Received, ticker: Pick<Ticker, 'interrupt'>): void {
  const error = new GatewayError('exchange_cancelled', 'An operator cancelled this request.')
  if (ticker.interrupt(exchange, error) === 0) exchange.client.reset()
}
