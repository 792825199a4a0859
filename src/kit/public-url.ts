import { GatewayError } from '../contract/errors.ts'

/** Where clients find this gateway, for the URLs that it hands out. */
export interface PublicUrl {
  /**
   * The absolute URL of a path of this gateway. Throws `GatewayError` where its address is not known:
   * the `Host` header is never asked, since any client can write what it likes there.
   */
  of(path: string): string
  /** The configured address, where there is one; others than this machine may reach it. */
  readonly configured: string | undefined
  /** Tells where the gateway listens, which clients on this machine can use. */
  listening(url: string): void
}

/** `configured` may have a path, for a gateway behind an ingress: `https://example.com/llm`. */
export function createPublicUrl(configured?: string): PublicUrl {
  let base = configured?.replace(/\/+$/, '')
  return {
    configured: base,
    of(path) {
      if (base === undefined) throw unknownAddress()
      return base + path
    },
    listening(url) {
      if (configured === undefined) base = isLoopback(url) ? url : undefined
    },
  }
}

function isLoopback(url: string): boolean {
  const host = URL.parse(url)?.hostname ?? ''
  return host === 'localhost' || host === '[::1]' || /^127(\.\d+){3}$/.test(host)
}

function unknownAddress(): GatewayError {
  return new GatewayError(
    'misconfigured',
    'This gateway does not know its own address: its operator has to set `publicUrl`.',
  )
}
