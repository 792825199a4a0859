import type { Snapshot } from '../contract/candidate.ts'
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

/**
 * The error of a call that one account alone can serve, if the snapshot does not have that account for it. While
 * the store does not answer, it may have the account all the same.
 */
export function ownerGone(
  snapshot: Pick<Snapshot, 'isComplete'>,
  { unavailable }: { readonly unavailable: (reason: string) => GatewayError },
  reason: string,
): GatewayError {
  if (snapshot.isComplete()) return unavailable(reason)
  const known = `${reason}, as far as is known while the store of the gateway does not answer`
  return ownerForNow(unavailable(known))
}

/** The error of a call that one account alone can serve, if that account may serve it soon: it is to be tried again. */
export function ownerForNow({ code, message, status, param, headers }: GatewayError): GatewayError {
  return new GatewayError(code, message, {
    status,
    headers: { ...headers, 'retry-after': '1' },
    retry: true,
    ...(param !== undefined && { param }),
  })
}
