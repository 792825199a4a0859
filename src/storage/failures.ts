import { GatewayError } from '../errors.ts'

/** One answer for what is not there and what is another key's. */
export function unknownFile(): GatewayError {
  return new GatewayError('not_found', 'There is no such file.')
}

/** The store that the gateway has to ask cannot tell. */
export function lookupFailed(cause: unknown): never {
  const message = 'The gateway cannot look this up at the moment.'
  throw new GatewayError('lookup_unavailable', message, { cause })
}
