import type { Received } from '../contract/exchange.ts'

/**
 * Reserves memory for an upload, in bytes, until all tasks of the exchange have ended. Call it before
 * reading the upload into a body, and wait for the promise that it may return. Throws or rejects with
 * `GatewayError` 503 if other exchanges have reserved too much; throws 413 if this exchange alone would
 * exceed the limit.
 */
export function reserveMemory(exchange: Received, bytes: number): Promise<void> | undefined {
  return exchange.progress.uploadBudget?.reserve(exchange, bytes)
}
