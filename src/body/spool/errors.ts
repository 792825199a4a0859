import { GatewayError } from '../../contract/errors.ts'

/** The 503 for a directory or a disk that fails. */
export function spoolUnavailable(cause: unknown): GatewayError {
  const message = 'The gateway cannot keep uploads of this size at the moment.'
  return new GatewayError('spool_unavailable', message, { cause })
}

/** The 503 for a spool or a disk without space. */
export function spoolFull(cause?: unknown): GatewayError {
  return new GatewayError(
    'spool_full',
    'There is no room for this upload now: other uploads have taken all space. Try again shortly.',
    { headers: { 'retry-after': '5' }, ...(cause !== undefined && { cause }) },
  )
}
