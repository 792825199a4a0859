import { GatewayError } from '../contract/errors.ts'

/**
 * Keys that the gateway itself reads. If one stood twice, or in disguise, the gateway and the
 * account could read different values: one model authorised, another served.
 */
export const watchedKeys: ReadonlySet<string> = new Set(['model', 'stream', 'previous_response_id'])

export function brokenOff(): GatewayError {
  return new GatewayError('client_closed_request', 'The body broke off.')
}

export function bodyTooLarge(limit: number): GatewayError {
  return new GatewayError('request_too_large', `The request body exceeds ${limit} bytes.`)
}
