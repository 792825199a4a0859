import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

import { plain } from '../lib/plain-address.ts'
import { type ProxyWords, readProxyHeaders } from './proxy-headers.ts'
import { type TrustedProxies, noProxies } from './trusted-proxies.ts'

/** The client of a request, as far as the way to it can be trusted. */
interface Client {
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

/** The peer of its connection is the client of a request. */
export const peerOf: ClientOf = createClientOf(noProxies)

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
