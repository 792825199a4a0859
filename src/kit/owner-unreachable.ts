import { GatewayError } from '../contract/errors.ts'

/**
 * The error of a call that one account alone can serve, if no connection to that account stood: the
 * error for an account that cannot be used, so that clients can tell it from a failed reply. Unlike
 * there, a retry may help, and is safe: the account has received nothing.
 */
export function ownerUnreachable(
  unavailable: (reason: string) => GatewayError,
  cause: GatewayError,
): GatewayError {
  const { code, message, status, param, headers } = unavailable('no connection to it can be made')
  const options = { status, headers, retry: true, cause, ...(param !== undefined && { param }) }
  return new GatewayError(code, message, options)
}

/** The error of a call that one account alone can serve, while that account is at its limit of calls. */
export function ownerBusy({ code, message, status, param, headers }: GatewayError): GatewayError {
  return new GatewayError(code, message, {
    status,
    headers: { ...headers, 'retry-after': '1' },
    retry: true,
    ...(param !== undefined && { param }),
  })
}
