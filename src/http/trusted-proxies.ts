import { BlockList, isIP, isIPv4 } from 'node:net'

/** The proxies whose word about their clients counts. */
export interface TrustedProxies {
  /** Whether an address, as `plain` returns it, is one of theirs. */
  has(address: string): boolean
}

/** No proxy is trusted. */
export const noProxies: TrustedProxies = { has: () => false }

/** Words that stand for networks in a list of proxies. */
const words: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1'],
  // RFC 1918 and RFC 4193.
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/** Whether a text is an address, a network in CIDR notation, or one of the words for networks. */
export function isProxyEntry(text: string): boolean {
  if (Object.hasOwn(words, text)) return true
  const [address = '', bits, ...rest] = text.split('/')
  const family = isIP(address)
  if (family === 0 || address.includes('%') || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}

/** Whether an entry stands for every address of a family, so that any client could pose as a proxy. */
export function isEveryAddress(entry: string): boolean {
  return /\/0+$/.test(entry)
}

/**
 * Creates the proxies of a configuration. `entries` are addresses, networks and words, all of them valid;
 * a reload returns another list.
 */
export function createTrustedProxies(entries: () => readonly string[]): TrustedProxies {
  let compiled: readonly string[] = []
  let list = new BlockList()
  return {
    has(address) {
      const latest = entries()
      if (latest !== compiled) {
        list = compile(latest)
        compiled = latest
      }
      return latest.length > 0 && address !== '' && list.check(address, familyOf(address))
    },
  }
}

function compile(entries: readonly string[]): BlockList {
  const list = new BlockList()
  for (const entry of entries.flatMap((one) => words[one] ?? [one])) {
    const [address = '', bits] = entry.split('/')
    if (bits === undefined) list.addAddress(address, familyOf(address))
    else list.addSubnet(address, Number(bits), familyOf(address))
  }
  return list
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv4(address) ? 'ipv4' : 'ipv6'
}
