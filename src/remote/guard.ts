import type { BlockList } from 'node:net'

import {
  type AddressRange,
  familyOf,
  forbiddenIpv4,
  forbiddenIpv6,
  listOf,
  malformedOption,
  nat64Ipv6,
  publicIpv6,
  parseAddressRange,
  withNat64,
} from './network.ts'

/** Whether the operator explicitly allows an address and port, or the host's name and port. */
type AllowList = (address: string, port: number, host: string) => boolean

/** Matches host names. The last label must have a letter; other texts are parsed as addresses. */
const name = /^(?:[a-z0-9_-]+\.)*[a-z0-9-]*[a-z][a-z0-9-]*\.?$/i

/**
 * Parses entries such as `10.0.0.5:443`, `10.1.0.0/16:8443`, `[fd00::5]:443` and `media.internal:443`.
 * Throws `TypeError` for a malformed one.
 */
function parseAllowList(texts: readonly string[]): AllowList {
  const names = new Set<string>()
  const ranges = new Map<number, AddressRange[]>()
  for (const text of texts) {
    const [, bracketed, plain = '', digits] = /^(?:\[(.+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? []
    const port = Number(digits)
    if (!isPort(port)) throw malformedOption(text, 'a host with a port')
    if (name.test(plain)) names.add(`${normalizeName(plain)}:${port}`)
    else
      ranges.set(port, [...(ranges.get(port) ?? []), parseAddressRange(bracketed ?? plain, text)])
  }
  const networks = new Map<number, BlockList>()
  for (const [port, ofPort] of ranges) networks.set(port, listOf(ofPort))

  return (address, port, host) =>
    names.has(`${normalizeName(host)}:${port}`) ||
    (networks.get(port)?.check(address, familyOf(address)) ?? false)
}

/** Whether a number is a valid TCP port. */
function isPort(port: number): boolean {
  return Number.isInteger(port) && port >= 1 && port <= 65_535
}

/** Normalizes case and the trailing dot. */
function normalizeName(host: string): string {
  return host.toLowerCase().replace(/\.$/, '')
}

/** The hosts and networks that remote fetches may reach. */
export interface GuardOptions {
  /**
   * Hosts with a port that may always be reached, such as an internal media host:
   * `10.0.0.5:443`, `10.1.0.0/16:8443`, `[fd00::5]:443`, or a name at any address:
   * `media.internal:443`. Every client of the gateway can read the content that they serve.
   */
  readonly allow?: readonly string[]
  /**
   * Further networks that must not be reached, such as your own public addresses: `5.6.0.0/16`. With
   * `0.0.0.0/0` and `::/0` only the hosts in `allow` can be reached.
   */
  readonly forbid?: readonly string[]
  /**
   * Whether public IPv4 may be reached through NAT64 (`64:ff9b::/96`), for a gateway in a network
   * without IPv4. Default false.
   */
  readonly nat64?: boolean
}

/** Whether a connection to an IP address of a host is permitted. */
export type AddressGuard = (address: string, port: number, host?: string) => boolean

/**
 * Creates a guard that permits the public internet and the hosts in `allow`. Throws `TypeError` for a
 * malformed option.
 */
export function createAddressGuard(options: GuardOptions = {}): AddressGuard {
  const allows = parseAllowList(options.allow ?? [])
  const own = (options.forbid ?? []).map((text) => parseAddressRange(text))
  const forbidden = listOf(own.flatMap(withNat64))
  const publicNetworks = options.nat64 ? publicWithNat64 : publicAlone

  return (address, port, host = address) => {
    const family = familyOf(address)
    if (family === undefined) return false
    if (allows(address, port, host)) return true
    if (family === 'ipv6' && !publicNetworks.check(address, family)) return false
    return !neverPublic.check(address, family) && !forbidden.check(address, family)
  }
}

const neverPublic = listOf([...forbiddenIpv6, ...forbiddenIpv4.flatMap(withNat64)])
const publicAlone = listOf(publicIpv6)
const publicWithNat64 = listOf([...publicIpv6, nat64Ipv6])
