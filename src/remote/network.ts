import { BlockList, isIP } from 'node:net'

/** A network and the length of its prefix. */
export type Range = readonly [network: string, prefix: number]

/** IPv4 that is not the public internet, or that a cloud answers from inside. */
export const forbiddenIpv4: readonly Range[] = [
  ['0.0.0.0', 8], // this host
  ['10.0.0.0', 8], // private (RFC 1918)
  ['100.64.0.0', 10], // shared by carriers (RFC 6598); metadata of Alibaba Cloud
  ['127.0.0.0', 8], // loopback
  ['168.63.129.16', 32], // the host of an Azure machine: a public address that is none
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
 * IPv6 that may be public. Everything else is forbidden: unspecified, loopback, IPv4-mapped and
 * -compatible, link- and site-local, unique local (metadata of AWS and Google too), multicast,
 * discard-only, NAT64, segment routing, and whatever is assigned later.
 */
export const publicIpv6: readonly Range[] = [
  ['2000::', 3], // global unicast
]

/** All of IPv4, for those who have IPv6 only. */
export const nat64Ipv6: Range = ['64:ff9b::', 96]

/** What of `publicIpv6` is forbidden nevertheless. */
export const forbiddenIpv6: readonly Range[] = [
  ['2001::', 23], // protocol assignments: Teredo, benchmarks, ORCHID
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4
  ['3fff::', 20], // documentation
]

export type AddressFamily = 'ipv4' | 'ipv6'

/** A block list finds nothing in what it cannot read: an address with a zone must not get to it. */
export function familyOf(address: string): AddressFamily | undefined {
  if (address.includes('%')) return undefined
  const version = isIP(address)
  if (version === 0) return undefined
  return version === 4 ? 'ipv4' : 'ipv6'
}

export function listOf(ranges: readonly Range[]): BlockList {
  const list = new BlockList()
  for (const [network, prefix] of ranges) list.addSubnet(network, prefix, familyOf(network))
  return list
}

/** Reads `10.1.0.0/16`, or an address, which stands for the network of itself. */
export function readAddressRange(network: string, text = network): Range {
  const [address = '', prefix, ...rest] = network.split('/')
  const family = familyOf(address)
  const longest = family === 'ipv4' ? 32 : 128
  const length = prefix === undefined ? longest : Number(/^\d+$/.exec(prefix)?.[0])
  if (!family || rest.length > 0 || !(length <= longest)) throw malformed(text, 'a network')
  return [address, length]
}

/** What is said of a network, and of it as those see it who have IPv6 only. */
export function withNat64([network, prefix]: Range): Range[] {
  const range: Range = [network, prefix]
  return familyOf(network) === 'ipv4' ? [range, [`64:ff9b::${network}`, 96 + prefix]] : [range]
}

export function malformed(text: string, expected: string): TypeError {
  return new TypeError(`\`${text}\` is not ${expected}, such as 10.0.0.5:443 or 10.1.0.0/16.`)
}
