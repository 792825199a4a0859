import type { Received } from '../contract/exchange.ts'

/**
 * Reserves memory for an upload, in bytes, until all tasks of the exchange have ended. Call it before
 * reading the upload into a body. Throws `GatewayError` 503 if other exchanges have reserved too much,
 * 413 if this exchange alone would exceed the limit.
 */
export function reserveMemory(exchange: Received, bytes: number): void {
  exchange.progress.memory?.reserve(exchange, bytes)
}
