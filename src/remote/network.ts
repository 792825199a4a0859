import { BlockList, isIP } from 'node:net'

/** A network and the length of its prefix in bits. */
export type AddressRange = readonly [network: string, prefix: number]

/** IPv4 networks that are not public, or that a cloud provider serves internally. */
export const forbiddenIpv4: readonly AddressRange[] = [
  ['0.0.0.0', 8], // this host
  ['10.0.0.0', 8], // private (RFC 1918)
  ['100.64.0.0', 10], // shared by carriers (RFC 6598); metadata of Alibaba Cloud
  ['127.0.0.0', 8], // loopback
  ['168.63.129.16', 32], // the host of an Azure machine: internal, though formally public
  ['169.254.0.0', 16], // link-local; metadata of most clouds
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.88.99.0', 24], // relays of 6to4
  ['192.168.0.0', 16], // private
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, broadcast
]

/**
 * IPv6 networks that may be public. All others are forbidden: unspecified, loopback, IPv4-mapped and
 * -compatible, link- and site-local, unique local (also metadata of AWS and Google), multicast,
 * discard-only, NAT64, segment routing, and later assignments.
 */
export const publicIpv6: readonly AddressRange[] = [
  ['2000::', 3], // global unicast
]

/** The NAT64 prefix, which maps all of IPv4 for hosts with IPv6 only. */
export const nat64Ipv6: AddressRange = ['64:ff9b::', 96]

/** The networks inside `publicIpv6` that are forbidden. */
export const forbiddenIpv6: readonly AddressRange[] = [
  ['2001::', 23], // protocol assignments: Teredo, benchmarks, ORCHID
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4
  ['3fff::', 20], // documentation
]

/** The family of an IP address, as `BlockList` names it. */
type AddressFamily = 'ipv4' | 'ipv6'

/**
 * The family of an address; `undefined` for other texts and for addresses with a zone, which
 * `BlockList` cannot parse and would therefore not find.
 */
export function familyOf(address: string): AddressFamily | undefined {
  if (address.includes('%')) return undefined
  const version = isIP(address)
  if (version === 0) return undefined
  return version === 4 ? 'ipv4' : 'ipv6'
}

/** Builds a `BlockList` of networks. */
export function listOf(ranges: readonly AddressRange[]): BlockList {
  const list = new BlockList()
  for (const [network, prefix] of ranges) list.addSubnet(network, prefix, familyOf(network))
  return list
}

/**
 * Parses a network such as `10.1.0.0/16`, or a single address. `text` is the option to quote in the
 * message. Throws `TypeError` if it is malformed.
 */
export function parseAddressRange(network: string, text = network): AddressRange {
  const [address = '', prefix, ...rest] = network.split('/')
  const family = familyOf(address)
  const longest = family === 'ipv4' ? 32 : 128
  const length = prefix === undefined ? longest : Number(/^\d+$/.exec(prefix)?.[0])
  if (!family || rest.length > 0 || !(length <= longest)) throw malformedOption(text, 'a network')
  return [address, length]
}

/** A network, and for IPv4 its NAT64 form as well. */
export function withNat64([network, prefix]: AddressRange): AddressRange[] {
  const range: AddressRange = [network, prefix]
  return familyOf(network) === 'ipv4' ? [range, [`64:ff9b::${network}`, 96 + prefix]] : [range]
}

/** The error for a malformed option: `text` is not `expected`. */
export function malformedOption(text: string, expected: string): TypeError {
  return new TypeError(`\`${text}\` is not ${expected}, such as 10.0.0.5:443 or 10.1.0.0/16.`)
}
