import type { BlockList } from 'node:net'

import {
  type Range,
  familyOf,
  forbiddenIpv4,
  forbiddenIpv6,
  listOf,
  malformed,
  nat64Ipv6,
  publicIpv6,
  readAddressRange,
  withNat64,
} from './network.ts'

/** Whether an operator allows the address of a host. */
export type Allowed = (address: string, port: number, host: string) => boolean

/** The last label of a name has a letter; whatever has none is read as an address. */
const name = /^(?:[a-z0-9_-]+\.)*[a-z0-9-]*[a-z][a-z0-9-]*\.?$/i

/** Reads `10.0.0.5:443`, `10.1.0.0/16:8443`, `[fd00::5]:443` and `media.internal:443`. */
export function readAllowed(texts: readonly string[]): Allowed {
  const names = new Set<string>()
  const ranges = new Map<number, Range[]>()
  for (const text of texts) {
    const [, bracketed, plain = '', digits] = /^(?:\[(.+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? []
    const port = Number(digits)
    if (!isPort(port)) throw malformed(text, 'a host with a port')
    if (name.test(plain)) names.add(`${plainName(plain)}:${port}`)
    else ranges.set(port, [...(ranges.get(port) ?? []), readAddressRange(bracketed ?? plain, text)])
  }
  const networks = new Map<number, BlockList>()
  for (const [port, ofPort] of ranges) networks.set(port, listOf(ofPort))

  return (address, port, host) =>
    names.has(`${plainName(host)}:${port}`) ||
    (networks.get(port)?.check(address, familyOf(address)) ?? false)
}

export function isPort(port: number): boolean {
  return Number.isInteger(port) && port >= 1 && port <= 65_535
}

/** Names are the same in any case, and with a dot at their end. */
function plainName(host: string): string {
  return host.toLowerCase().replace(/\.$/, '')
}

export interface GuardOptions {
  /**
   * Hosts with a port that may be reached whatever else is said, for an internal media host or for
   * tests: `10.0.0.5:443`, `10.1.0.0/16:8443`, `[fd00::5]:443`, or a name, wherever it leads to:
   * `media.internal:443`. Every client of the gateway can read what answers there.
   */
  readonly allow?: readonly string[]
  /**
   * Further networks that must not be reached, such as public addresses of one's own: `5.6.0.0/16`.
   * With `0.0.0.0/0` and `::/0` there is nothing but what `allow` says.
   */
  readonly forbid?: readonly string[]
  /** The only ports that may be reached; absent, any. */
  readonly ports?: readonly number[]
  /**
   * Whether public IPv4 may be reached through NAT64 (`64:ff9b::/96`), for a gateway without IPv4 of
   * its own. Default false.
   */
  readonly nat64?: boolean
}

/** Whether a connection may be made to an IP address that was found for a host. */
export type AddressGuard = (address: string, port: number, host?: string) => boolean

/** Permits the public internet and what the operator allows. Throws where an option is malformed. */
export function createAddressGuard(options: GuardOptions = {}): AddressGuard {
  const allows = readAllowed(options.allow ?? [])
  const ports = options.ports && new Set(options.ports)
  for (const port of ports ?? []) if (!isPort(port)) throw malformed(`${port}`, 'a port')
  const own = (options.forbid ?? []).map((text) => readAddressRange(text))
  const forbidden = listOf([...forbiddenIpv6, ...[...forbiddenIpv4, ...own].flatMap(withNat64)])
  const publicOnes = listOf(options.nat64 ? [...publicIpv6, nat64Ipv6] : publicIpv6)

  return (address, port, host = address) => {
    const family = familyOf(address)
    if (family === undefined) return false
    if (allows(address, port, host)) return true
    if (ports && !ports.has(port)) return false
    if (family === 'ipv6' && !publicOnes.check(address, family)) return false
    return !forbidden.check(address, family)
  }
}
