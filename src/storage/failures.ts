import { GatewayError } from '../contract/errors.ts'

/** One answer for what is not there and what is another key's. */
export function unknownFile(): GatewayError {
  return new GatewayError('not_found', 'There is no such file.')
}

/** A disk that fails is the gateway's own failure; it is not told where the disk is. */
export function diskFailed(cause: unknown): never {
  if (!isOfSystem(cause)) throw cause
  const message = 'The storage of this gateway cannot be used at the moment.'
  throw new GatewayError('storage_unavailable', message, { cause })
}

/** Whether the system refused something: no mistake of the gateway's own. */
function isOfSystem(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}

/** The store that the gateway has to ask cannot tell. */
export function lookupFailed(cause: unknown): never {
  const message = 'The gateway cannot look this up at the moment.'
  throw new GatewayError('lookup_unavailable', message, { cause })
}
