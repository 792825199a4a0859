import type { Understood } from '../contract/exchange.ts'
import type { GenerateRequest } from '../generate/request.ts'

/** The decoded request of each exchange, which the next attempt uses again. */
const decodedRequests = new WeakMap<Understood, GenerateRequest>()

/** The decoded request of an exchange; `undefined` before the first attempt that needs it. */
export function decodedRequestOf(exchange: Understood): GenerateRequest | undefined {
  return decodedRequests.get(exchange)
}

/** Keeps the decoded request of an exchange, and returns it. */
export function keepDecoded(exchange: Understood, request: GenerateRequest): GenerateRequest {
  decodedRequests.set(exchange, request)
  return request
}
