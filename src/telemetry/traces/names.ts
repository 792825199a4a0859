import { cleanText } from '../../kit/secrets/exchange-texts.ts'

/** In characters. Clients and accounts choose many of the texts. */
const longest = 256

/** A text that a client or an account chose, as a span may have it. */
export function spanText(text: string, exchange: Parameters<typeof cleanText>[1]): string {
  return cleanText(text, exchange, longest)
}

/** The target of a request to an account without its query, whose values may be secret. */
export function urlOf(origin: string, path: string): string {
  const mark = path.indexOf('?')
  return mark < 0 ? `${origin}${path}` : `${origin}${path.slice(0, mark)}?REDACTED`
}

/** A host and its port, as `server.address` and `server.port`. */
interface ServerAddress {
  readonly 'server.address': string
  readonly 'server.port'?: number
}

const origins = new Map<string, ServerAddress>()

/** Accounts may name any number of hosts for their files. */
const mostOrigins = 1_000

/** The address in an origin, such as `https://api.example.com`. */
export function addressOf(origin: string): ServerAddress {
  const known = origins.get(origin)
  if (known) return known
  const url = URL.parse(origin)
  const port = Number(url?.port || (url?.protocol === 'http:' ? 80 : 443))
  const address = { 'server.address': url?.hostname ?? '', 'server.port': port }
  if (origins.size < mostOrigins) origins.set(origin, address)
  return address
}
