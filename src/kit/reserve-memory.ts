import type { Received } from '../contract/exchange.ts'

/**
 * Call it before so many bytes of an upload are read into a body; they are released when all work of
 * the exchange has ended. Throws `GatewayError` 503 where other exchanges have taken all memory, 413
 * where the body would be too large with nothing else there.
 */
export function reserveMemory(exchange: Received, bytes: number): void {
  exchange.progress.memory?.reserve(exchange, bytes)
}
