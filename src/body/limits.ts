import { GatewayError } from '../contract/errors.ts'
import type { Limits, Timeouts } from '../contract/limits.ts'
import type { LeastPace } from '../lib/pace.ts'

/** The 499 for a body whose connection closed before its end. */
export function bodyCutOff(): GatewayError {
  return new GatewayError('client_closed_request', 'The request body was cut off.')
}

/** The 413 for a body of more than `limit` bytes. */
export function bodyTooLarge(limit: number): GatewayError {
  return new GatewayError('request_too_large', `The request body exceeds ${limit} bytes.`)
}

/** The limits for the speed of a body. */
export type BodyPaceLimits = Pick<Timeouts, 'requestBodyMs'> & Pick<Limits, 'bodyBytesPerSecond'>

/** The least speed of a body. */
export function bodyPace({ requestBodyMs, bodyBytesPerSecond }: BodyPaceLimits): LeastPace {
  return { windowMs: requestBodyMs, bytesPerSecond: bodyBytesPerSecond }
}
