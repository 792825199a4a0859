import { GatewayError } from '../contract/errors.ts'

/** The 404 for a missing file; a file of another API key gets the same one. */
export function unknownFile(): GatewayError {
  return new GatewayError('not_found', 'There is no such file.')
}

/** Throws a 503 for an error of the disk, without its path, and rethrows any other error. */
export function diskFailed(cause: unknown): never {
  if (!isSystemError(cause)) throw cause
  const message = 'The storage of this gateway cannot be used at the moment.'
  throw new GatewayError('storage_unavailable', message, { cause })
}

/** Whether an error comes from a system call rather than from a defect of the gateway. */
function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}

/** Throws the 503 for a store that cannot be read. */
export function lookupFailed(cause: unknown): never {
  const message = 'The gateway cannot look this up at the moment.'
  throw new GatewayError('lookup_unavailable', message, { cause })
}
