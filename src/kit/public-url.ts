import { GatewayError } from '../contract/errors.ts'
import type { ReachedAt } from '../contract/storage.ts'
import { isLoopbackHost } from '../lib/hosts.ts'

/** The address at which clients reach this gateway, for the URLs that it issues. */
export interface PublicUrl {
  /**
   * Returns the absolute URL of a path of this gateway. Throws `GatewayError` `misconfigured` if the
   * address is unknown. The `Host` header is no source of it, because clients control that header.
   * `request` is the request whose reply has the URL. Without a configured address, the address that a trusted
   * proxy reports for it counts.
   */
  of(path: string, request?: ReachedAt): string
  /** The configured address, which other machines can reach. */
  readonly configured: string | undefined
  /** Sets the address at which the gateway listens. Used if it is a loopback address. */
  listening(url: string): void
}

/**
 * Creates the public address. `configured` may have a path, for a gateway behind an ingress:
 * `https://example.com/llm`.
 */
export function createPublicUrl(configured?: string): PublicUrl {
  let base = configured?.replace(/\/+$/, '')
  return {
    configured: base,
    of(path, request) {
      const known = configured === undefined ? (request?.publicUrl ?? base) : base
      if (known === undefined) throw unknownAddress()
      return known + path
    },
    listening(url) {
      if (configured === undefined)
        base = isLoopbackHost(URL.parse(url)?.hostname ?? '') ? url : undefined
    },
  }
}

function unknownAddress(): GatewayError {
  return new GatewayError(
    'misconfigured',
    'The public address of this gateway is unknown: its operator has to set `publicUrl`.',
  )
}
