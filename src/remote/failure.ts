import { isIP } from 'node:net'

import { GatewayError } from '../errors.ts'
import type { UrlField } from './url-fields.ts'

/**
 * Why a remote file cannot be had, as the end of a sentence for the client. Names no address and
 * nothing of what was read.
 */
export class RemoteFailure extends Error {
  override name = 'RemoteFailure'
}

/**
 * One answer for names that lead nowhere and for those that lead inside, so that clients cannot
 * find out which internal names exist.
 */
export function notPublic(cause?: unknown): RemoteFailure {
  return new RemoteFailure('its host has no public address', { cause })
}

/** Whatever ended a fetch, as the client's error. */
export function toClientError(
  thrown: unknown,
  { param, label }: UrlField,
  url: URL | null,
): GatewayError {
  if (GatewayError.isInstance(thrown)) return thrown
  const reason =
    thrown instanceof RemoteFailure ? thrown.message : 'the connection to its host failed'
  return new GatewayError(
    'invalid_value',
    `${label} cannot be fetched${fromHost(url)}: ${reason}.`,
    { param, cause: thrown },
  )
}

/** The client finds its file by the host's name. Addresses are not repeated, however they were spelled. */
function fromHost(url: URL | null): string {
  const host = url?.hostname ?? ''
  return host === '' || host.startsWith('[') || isIP(host) !== 0 ? '' : ` from ${host}`
}

/** The client has left, or somebody else has ended the work. */
export function abandoned(): GatewayError {
  return new GatewayError('client_closed_request', 'The client closed the request.')
}

/** The gateway's own limit, and no fault of the client. */
export function tooBusy(): GatewayError {
  return new GatewayError(
    'lookup_unavailable',
    'The gateway is fetching too many remote files at once.',
  )
}
