import type { ErrorReply, GatewayError } from '../../../src/dialect-kit/index.ts'

/** `{oops, number, reason}`: short, as everything that is shouted. */
export function shoutError({ status, message, code, param }: GatewayError): ErrorReply {
  return {
    status,
    headers: { 'x-shout-oops': code },
    body: { oops: message, number: status, reason: code, ...(param && { about: param }) },
  }
}
