import { isIP } from 'node:net'

import { GatewayError } from '../contract/errors.ts'
import type { UrlField } from '../contract/services.ts'

/**
 * The reason why a remote file cannot be fetched, as the end of a sentence for the client. It contains
 * no address and no content of the reply.
 */
export class RemoteFailure extends Error {
  override name = 'RemoteFailure'
  /** How the client can fix it: a sentence without a full stop. */
  readonly fix: string | undefined

  constructor(reason: string, { fix, ...options }: ErrorOptions & { fix?: string } = {}) {
    super(reason, options)
    this.fix = fix
  }
}

/** The failure of a file that is larger than it may be. */
export class OversizedFile extends RemoteFailure {
  constructor(maxBytes: number) {
    super(`it is larger than ${maxBytes} bytes`)
  }
}

/** The failure for a URL with a literal address that is not public. */
export function notPublic(): RemoteFailure {
  return new RemoteFailure('its host has no public address', { fix: alternatives })
}

/**
 * The failure for a name that does not resolve or that resolves to an internal address. Both get the
 * same message, so that clients cannot probe for internal names.
 */
export function notPublicName(cause?: unknown): RemoteFailure {
  const reason = 'its host has no public address, or does not resolve'
  return new RemoteFailure(reason, { fix: alternatives, cause })
}

/** The failure for every URL if the operator sets `maxFiles: 0`. */
export function fetchingDisabled(): RemoteFailure {
  const fix = 'Send the bytes of the file instead, such as in a `data:` URL'
  return new RemoteFailure('this gateway fetches no files', { fix })
}

const alternatives =
  'Send the bytes of the file instead, such as in a `data:` URL, or have the operator list its host ' +
  'in `remote.allow`'

/** Converts the failure of a fetch to the client's error, which names the field and the host. */
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

/** The name of the host, so that the client finds its file. Literal addresses are never repeated. */
function fromHost(url: URL | null): string {
  const host = url?.hostname ?? ''
  return host === '' || host.startsWith('[') || isIP(host) !== 0 ? '' : ` from ${host}`
}

/** The 499 for a fetch that was aborted. */
export function clientClosed(): GatewayError {
  return new GatewayError('client_closed_request', 'The client closed the request.')
}

/** The 503 for a fetch that got no slot in time. */
export function tooBusy(): GatewayError {
  return new GatewayError(
    'lookup_unavailable',
    'The gateway is fetching too many remote files at once.',
  )
}
