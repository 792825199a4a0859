import { GatewayError } from '../contract/errors.ts'

/**
 * Keys that the gateway itself reads. If one occurred twice or in another spelling, the gateway and
 * the account could read different values: one model authorised, another served.
 */
export const watchedKeys: ReadonlySet<string> = new Set(['model', 'stream', 'previous_response_id'])

/** The 499 for a body whose connection closed before its end. */
export function bodyCutOff(): GatewayError {
  return new GatewayError('client_closed_request', 'The request body was cut off.')
}

/** The 413 for a body of more than `limit` bytes. */
export function bodyTooLarge(limit: number): GatewayError {
  return new GatewayError('request_too_large', `The request body exceeds ${limit} bytes.`)
}
