import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'

import { type ProxyWords, readProxyHeaders } from './proxy-headers.ts'

/** The client of a request, as far as the way to it can be trusted. */
export interface Client {
  /** Its address, without the prefix of IPv4 in IPv6. Empty if its connection has ended. */
  readonly address: string
  /**
   * Whether a trusted proxy names a client that cannot be read, whose address is then the proxy's, or two headers name
   * different ones.
   */
  readonly isUnclear?: boolean
  /** Whether its connection ends at a trusted proxy. */
  readonly isProxied: boolean
  /** The scheme that it speaks to the first trusted proxy. Absent: no trusted proxy names one. */
  readonly scheme?: 'http' | 'https' | undefined
  /**
   * The URL at which it reaches this gateway, without a slash at its end. Absent: no trusted proxy names
   * scheme and host.
   */
  readonly publicUrl?: string | undefined
}

/** Finds the client of a request. */
export type ClientOf = (request: IncomingMessage) => Client

/** The trusted proxies that one request may have passed. */
const mostProxies = 32

/**
 * Creates the reader of clients. The headers of proxies count only if the peer is a trusted one: from the
 * nearest entry on, the first address that is not a trusted proxy's is the client's. If an entry on the way
 * there is no address, or no end is found, the peer counts as the client.
 */
export function createClientOf(proxies: TrustedProxies): ClientOf {
  return ({ socket, headers }) => {
    const peer = plain(socket.remoteAddress ?? '')
    if (!proxies.has(peer)) return { address: peer, isProxied: false }
    const words = readProxyHeaders(headers)
    const found = findClient(words.clients, proxies)
    const { address, at } = found ?? { address: peer, at: 0 }
    const isUnclear = words.namesClients && (!found || !isAgreed(found, words, proxies))
    const scheme = schemeOf(wordAt(words, 'schemes', at))
    const host = wordAt(words, 'hosts', at)
    const publicUrl = publicUrlOf(scheme, host, words.prefixes[0] ?? '')
    return { address, isUnclear, isProxied: true, scheme, publicUrl }
  }
}

interface Found {
  readonly address: string
  /** The proxies between the client and the peer. */
  readonly at: number
}

/** Whether all headers name the same client. */
function isAgreed({ address }: Found, { others }: ProxyWords, proxies: TrustedProxies): boolean {
  return !others || findClient(others, proxies)?.address === address
}

function findClient(entries: readonly string[], proxies: TrustedProxies): Found | undefined {
  for (const [at, entry] of entries.entries()) {
    const address = addressOf(entry)
    if (address === undefined || at >= mostProxies) return undefined
    // A chain of trusted addresses alone ends with the client: a machine of the same network.
    if (!proxies.has(address) || at === entries.length - 1) return { address, at }
  }
  return undefined
}

/** A proxy that appends to one list may replace another: then the nearest proxy's word counts. */
function wordAt(words: ProxyWords, name: 'schemes' | 'hosts', at: number): string | undefined {
  const { [name]: list, clients } = words
  return list[list.length === clients.length ? at : 0]
}

/**
 * An address, of IPv6 in brackets or without, with an optional port, which only brackets and IPv4 may have. All of it
 * may be in quotation marks.
 */
function addressOf(entry: string): string | undefined {
  if (entry.length > 64) return undefined
  const text = /^"(.*)"$/.exec(entry)?.[1] ?? entry
  const [, inBrackets, ofIPv4] =
    /^(?:\[([^\]]+:[^\]]*)\](?::\d{1,5})?|(\d+(?:\.\d+){3}):\d{1,5})$/.exec(text) ?? []
  const address = plain(inBrackets ?? ofIPv4 ?? text)
  return isIP(address) === 0 ? undefined : address
}

function schemeOf(text: string | undefined): Client['scheme'] {
  const scheme = text?.toLowerCase()
  return scheme === 'http' || scheme === 'https' ? scheme : undefined
}

const validHost = /^(?:[a-z\d][\w.-]{0,252}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i

/** Segments of plain characters, none of which is `.` or `..`. */
const validPrefix = /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]{1,100}){0,16}\/?$/

/** Proxies say the same in nearly every request. */
let latest: { readonly said: string; readonly url: string | undefined } = {
  said: '',
  url: undefined,
}

function publicUrlOf(
  scheme: Client['scheme'],
  host: string | undefined,
  prefix: string,
): string | undefined {
  if (scheme === undefined || host === undefined) return undefined
  const said = `${scheme}\n${host}\n${prefix}`
  if (said === latest.said) return latest.url
  const url = `${scheme}://${host}${prefix}`
  const isValid = validHost.test(host) && validPrefix.test(prefix) && URL.canParse(url)
  latest = { said, url: isValid ? url.replace(/\/$/, '') : undefined }
  return latest.url
}

/** The proxies whose word about their clients counts. */
export interface TrustedProxies {
  /** Whether an address, as `plain` returns it, is one of theirs. */
  has(address: string): boolean
}

/** No proxy is trusted. */
export const noProxies: TrustedProxies = { has: () => false }

/** The peer of its connection is the client of a request. */
export const peerOf: ClientOf = createClientOf(noProxies)

/** Words that stand for networks in a list of proxies. */
const networks: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1'],
  // RFC 1918 and RFC 4193.
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/** Whether a text is an address, a network in CIDR notation, or one of the words for networks. */
export function isProxyEntry(text: string): boolean {
  if (Object.hasOwn(networks, text)) return true
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
  for (const entry of entries.flatMap((one) => networks[one] ?? [one])) {
    const [address = '', bits] = entry.split('/')
    if (bits === undefined) list.addAddress(address, familyOf(address))
    else list.addSubnet(address, Number(bits), familyOf(address))
  }
  return list
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv4(address) ? 'ipv4' : 'ipv6'
}

/** An address without the prefix that IPv4 has on a socket of IPv6, and without its zone. */
export function plain(address: string): string {
  if (!address.includes(':')) return address
  return address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
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
