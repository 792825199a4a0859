import type { IncomingMessage } from 'node:http'
import { BlockList, isIPv4, isIPv6 } from 'node:net'

/** The client of a request, as far as the way to it can be trusted. */
export interface Client {
  /** Its address, without the prefix of IPv4 in IPv6. */
  readonly address: string
  /** Whether it speaks https to a proxy. */
  readonly isSecure: boolean
}

/** Finds the client of a request. */
export type ClientOf = (request: IncomingMessage) => Client

/**
 * Creates the reader of clients. `x-forwarded-for` and `x-forwarded-proto` count only from addresses and
 * networks (`10.0.0.0/8`) in `proxies`: the nearest address that is not of a proxy is the client's.
 */
export function createClientOf(proxies: readonly string[]): ClientOf {
  const trusted = new BlockList()
  for (const proxy of proxies) addTo(trusted, proxy)
  const isTrusted = (address: string) => trusted.check(address, familyOf(address))
  return ({ socket, headers }) => {
    const peer = plain(socket.remoteAddress ?? '')
    if (proxies.length === 0 || !isTrusted(peer))
      return { address: peer, isSecure: saysHttps(headers) }
    const hops = lastOf(headers['x-forwarded-for'], 32).filter(isAddress)
    return {
      address: hops.findLast((hop) => !isTrusted(hop)) ?? hops[0] ?? peer,
      isSecure: lastOf(headers['x-forwarded-proto'], 1)[0] === 'https' || saysHttps(headers),
    }
  }
}

/** The key by which attempts of an address are counted: a client has a whole network of IPv6. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('::')
  const first = head.split(':').filter(Boolean)
  const last = (tail ?? '').split(':').filter(Boolean)
  const zeros = Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => '0')
  return [...first, ...zeros, ...last]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}

/** An address without the prefix that IPv4 has on a socket of IPv6. */
export function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
}

/** Browsers send it with every request that changes something; only a browser gets a cookie by it. */
function saysHttps({ origin }: IncomingMessage['headers']): boolean {
  return origin?.startsWith('https://') ?? false
}

function addTo(list: BlockList, entry: string): void {
  const [address = '', bits] = entry.split('/')
  if (bits === undefined) list.addAddress(address, familyOf(address))
  else list.addSubnet(address, Number(bits), familyOf(address))
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv4(address) ? 'ipv4' : 'ipv6'
}

function isAddress(text: string): boolean {
  return isIPv4(text) || isIPv6(text)
}

function lastOf(header: string | string[] | undefined, count: number): string[] {
  return String(header ?? '')
    .split(',')
    .slice(-count)
    .map((part) => plain(part.trim()))
}
