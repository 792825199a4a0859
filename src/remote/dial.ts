import { type LookupAddress, lookup as systemLookup } from 'node:dns'
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

import { notPublic, notPublicName } from './failure.ts'
import type { AddressGuard } from './guard.ts'

/** Finds all addresses of a name. */
export type DnsLookup = (
  hostname: string,
  options: { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

export interface DialOptions {
  readonly permits: AddressGuard
  /** Absent, the system's. */
  readonly lookup?: DnsLookup
  /** Certificate authorities instead of the well-known ones, in PEM. */
  readonly ca?: string
}

/**
 * Opens a connection to the host of an URL, if every address that the host has is permitted. The
 * addresses are those that the connection itself asks for: there is no second question that a
 * resolver could answer otherwise.
 */
export function dial(url: URL, { permits, lookup = systemLookup, ca }: DialOptions): Socket {
  const secure = url.protocol === 'https:'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = Number(url.port) || (secure ? 443 : 80)
  const literal = isIP(host) !== 0
  // Nobody is asked for the address of a literal, so nobody else would check it.
  if (literal && !permits(host, port, host)) throw notPublic()
  const guarded = guardedLookup(lookup, (address) => permits(address, port, host))
  if (!secure) return connectTcp({ host, port, lookup: guarded })
  return connectTls({
    host,
    port,
    lookup: guarded,
    ALPNProtocols: ['http/1.1'],
    // A name in a certificate and in SNI has no dot at its end.
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
