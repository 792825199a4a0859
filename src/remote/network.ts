import { BlockList, isIP } from 'node:net'

import type { Range } from './ranges.ts'

export type Family = 'ipv4' | 'ipv6'

/** A block list finds nothing in what it cannot read: an address with a zone must not get to it. */
export function familyOf(address: string): Family | undefined {
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
export function readRange(network: string, text = network): Range {
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
