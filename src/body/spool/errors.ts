import { GatewayError } from '../../contract/errors.ts'

/** The 503 for a directory or a disk that fails. */
export function spoolUnavailable(cause: unknown): GatewayError {
  const message = 'The gateway cannot store request bodies of this size at the moment.'
  return new GatewayError('spool_unavailable', message, { cause })
}

/** The 503 for a spool without space, or with `cause` for its disk. */
export function spoolFull(cause?: unknown): GatewayError {
  const reason =
    cause === undefined ? 'other requests use all of its space' : 'its disk has no space'
  return new GatewayError(
    'spool_full',
    `The spool for request bodies is full: ${reason}. Try again shortly.`,
    { headers: { 'retry-after': '5' }, ...(cause !== undefined && { cause }) },
  )
}

/** The 429 for a form beside other forms of its API key, which use all that one key may have. */
export function shareFull(): GatewayError {
  return new GatewayError(
    'rate_limited',
    'Other forms of this API key use its share of the spool. Send fewer forms at the same time.',
    { headers: { 'retry-after': '5' } },
  )
}
