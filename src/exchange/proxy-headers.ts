import type { IncomingHttpHeaders } from 'node:http'

/** The headers that the proxies of a request have written. In each list the nearest proxy's value is the first. */
export interface ProxyWords {
  /** The clients that they name: addresses, with or without a port, or other text. */
  readonly clients: readonly string[]
  /** Whether there is a header with clients, even if none of them can be read. */
  readonly namesClients: boolean
  /** The clients that another header names. Absent: the request has no such header. */
  readonly others?: readonly string[]
  readonly schemes: readonly string[]
  readonly hosts: readonly string[]
  readonly prefixes: readonly string[]
}

/** The entries that are read of a list. */
const mostEntries = 33

/** The longest `Forwarded` that is read, in characters. */
const longestForwarded = 8_192

/**
 * Reads the headers of proxies: `x-forwarded-*`, or `Forwarded` (RFC 7239) in a request without `x-forwarded-for`. Most
 * proxies write the former and pass on a client's `Forwarded`, but some do the opposite: `others` are the clients of
 * `Forwarded` in a request with both.
 */
export function readProxyHeaders(headers: IncomingHttpHeaders): ProxyWords {
  // Some proxies empty a header in place of removing it.
  const forwarded = headers.forwarded || undefined
  const named = headers['x-forwarded-for'] || undefined
  const prefixes = entriesOf(headers['x-forwarded-prefix'])
  const elements = forwarded === undefined ? [] : readForwarded(forwarded)
  const nearest = elements.toReversed().slice(0, mostEntries)
  const all = (name: string) => nearest.map((element) => element.get(name) ?? '')
  if (named === undefined && forwarded !== undefined) {
    const [schemes, hosts] = [all('proto'), all('host')]
    return { clients: all('for'), namesClients: true, schemes, hosts, prefixes }
  }
  return {
    clients: entriesOf(named),
    namesClients: named !== undefined,
    ...(named !== undefined && forwarded !== undefined && { others: all('for') }),
    schemes: entriesOf(headers['x-forwarded-proto']),
    hosts: entriesOf(headers['x-forwarded-host']),
    prefixes,
  }
}

/** The entries of a list, the last one first. A header that was sent twice is one list. */
function entriesOf(header: string | string[] | undefined): string[] {
  const entries: string[] = []
  if (header === undefined) return entries
  const text = String(header)
  for (let end = text.length; end >= 0 && entries.length < mostEntries;) {
    const comma = end === 0 ? -1 : text.lastIndexOf(',', end - 1)
    entries.push(text.slice(comma + 1, end).trim())
    end = comma
  }
  return entries
}

/** A pair with its delimiter. Ports and addresses of IPv6 are often not quoted, against the RFC. */
const pair = /[ \t]*(?:([\w!#$%&'*+.^`|~-]+)=(?:([^",;\\\s]+)|"((?:[^"\\]|\\.)*)")[ \t]*)?([;,]|$)/y

/**
 * Reads the elements of `Forwarded`; none if it is malformed at any place, since a client's open quotation
 * mark could hide elements that a proxy has appended.
 */
function readForwarded(text: string): Map<string, string>[] {
  if (text.length > longestForwarded) return []
  const elements: Map<string, string>[] = []
  let element = new Map<string, string>()
  for (pair.lastIndex = 0; ;) {
    const [, name, bare, quoted, end] = pair.exec(text) ?? []
    if (end === undefined) return []
    if (name !== undefined) {
      if (element.has(name.toLowerCase())) return []
      element.set(name.toLowerCase(), bare ?? quoted?.replace(/\\(.)/g, '$1') ?? '')
    }
    if (end === ';') continue
    if (element.size > 0) elements.push(element)
    if (end === '') return elements
    element = new Map()
  }
}
