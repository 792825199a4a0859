import { isIP } from 'node:net'

import { GatewayError } from '../contract/errors.ts'
import type { UrlField } from '../contract/services.ts'

/**
 * Why a remote file cannot be had, as the end of a sentence for the client. Names no address and
 * nothing of what was read.
 */
export class RemoteFailure extends Error {
  override name = 'RemoteFailure'
  /** What the client can do about it: a sentence without a full stop. */
  readonly fix: string | undefined

  constructor(reason: string, { fix, ...options }: ErrorOptions & { fix?: string } = {}) {
    super(reason, options)
    this.fix = fix
  }
}

/** An URL leads inside by the address in it. */
export function notPublic(): RemoteFailure {
  return new RemoteFailure('its host has no public address', { fix: otherWays })
}

/**
 * One answer for names that lead nowhere and for those that lead inside, so that clients cannot
 * find out which internal names exist.
 */
export function notPublicName(cause?: unknown): RemoteFailure {
  const reason = 'its host has no public address, or does not resolve'
  return new RemoteFailure(reason, { fix: otherWays, cause })
}

/** The operator wants it so (`maxFiles: 0`). */
export function fetchesNone(): RemoteFailure {
  const fix = 'Send the bytes of the file instead, such as in a `data:` URL'
  return new RemoteFailure('this gateway fetches no files', { fix })
}

const otherWays =
  'Send the bytes of the file instead, such as in a `data:` URL, or have the operator list its host ' +
  'in `remote.allow`'

/** Whatever ended a fetch, as the client's error. */
export function toClientError(
  thrown: unknown,
  { param, label }: UrlField,
  url: URL | null,
): GatewayError {
  if (GatewayError.isInstance(thrown)) return thrown
  const { message: reason, fix } =
    thrown instanceof RemoteFailure
      ? thrown
      : { message: 'the connection to its host failed', fix: undefined }
  const sentence = `${label} cannot be fetched${fromHost(url)}: ${reason}.`
  return new GatewayError('invalid_value', fix === undefined ? sentence : `${sentence} ${fix}.`, {
    param,
    cause: thrown,
  })
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
