import { GatewayError } from '../contract/errors.ts'

/** The 499 for a body whose connection closed before its end. */
export function bodyCutOff(): GatewayError {
  return new GatewayError('client_closed_request', 'The request body was cut off.')
}

/** The 413 for a body of more than `limit` bytes. */
export function bodyTooLarge(limit: number): GatewayError {
  return new GatewayError('request_too_large', `The request body exceeds ${limit} bytes.`)
}
