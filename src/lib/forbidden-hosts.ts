import { BlockList, isIP } from 'node:net'

import { computedOnce } from './computed-once.ts'

/** Hosts that must not be reached. */
interface ForbiddenHosts {
  /** Whether a name, or an address as `URL.hostname` has it, is forbidden. */
  has(host: string): boolean
}

/** Whether a text is a host name, an address or a network in CIDR notation. */
export function isHostOrNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0) return /^[a-z\d][\w.-]{0,252}$/i.test(text) && /[a-z]/i.test(text)
  const longest = version === 4 ? 32 : 128
  return (
    rest.length === 0 &&
    (prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= longest))
  )
}

/** Compiles names, addresses and networks, each list once. IPv4 is also meant in its forms of IPv6. */
export const compileForbiddenHosts = computedOnce((entries: readonly string[]): ForbiddenHosts => {
  const list = new BlockList()
  const names = new Set<string>()
  for (const entry of entries) {
    const [address = '', prefix] = entry.split('/')
    const version = isIP(address)
    if (version === 0) names.add(entry.toLowerCase())
    else if (version === 6) list.addSubnet(address, Number(prefix ?? 128), 'ipv6')
    else {
      list.addSubnet(address, Number(prefix ?? 32), 'ipv4')
      // NAT64 leads to all of IPv4.
      list.addSubnet(`64:ff9b::${address}`, 96 + Number(prefix ?? 32), 'ipv6')
    }
  }
  return {
    has(host) {
      const [bare = ''] = host.replace(/^\[|\]$/g, '').split('%')
      const version = isIP(bare)
      if (version === 0) return names.has(bare.toLowerCase().replace(/\.$/, ''))
      return list.check(bare, version === 4 ? 'ipv4' : 'ipv6')
    },
  }
})
