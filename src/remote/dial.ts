import { type LookupAddress, lookup as systemLookup } from 'node:dns'
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

import { notPublic, notPublicName } from './failure.ts'
import type { AddressGuard } from './guard.ts'

/** Resolves a name to all of its addresses; the signature of `dns.lookup`. */
export type DnsLookup = (
  hostname: string,
  options: { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/** How to open connections. */
export interface DialOptions {
  readonly permits: AddressGuard
  /** Default: the system's resolver. */
  readonly lookup?: DnsLookup
  /** Certificate authorities, in PEM, that replace the well-known ones. */
  readonly ca?: string
}

/**
 * Opens a connection to the host of a URL if every address of the host is permitted. The check runs
 * inside the connection's own name resolution, so a resolver cannot return other addresses to a second
 * query. Throws `RemoteFailure`, or destroys the socket with it.
 */
export function dial(url: URL, { permits, lookup = systemLookup, ca }: DialOptions): Socket {
  const secure = url.protocol === 'https:'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = Number(url.port) || (secure ? 443 : 80)
  const literal = isIP(host) !== 0
  // A literal address is not resolved, so `guardedLookup` never sees it.
  if (literal && !permits(host, port, host)) throw notPublic()
  const guarded = guardedLookup(lookup, (address) => permits(address, port, host))
  if (!secure) return connectTcp({ host, port, lookup: guarded })
  return connectTls({
    host,
    port,
    lookup: guarded,
    ALPNProtocols: ['http/1.1'],
    // Names in certificates and in SNI have no trailing dot.
    ...(!literal && { servername: host.replace(/\.$/, '') }),
    ...(ca !== undefined && { ca }),
  })
}

function guardedLookup(lookup: DnsLookup, permits: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = error ? [] : addresses
      if (!first || !addresses.every(({ address }) => permits(address))) {
        callback(notPublicName(error ?? undefined), [])
      } else if (options.all) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }
}
