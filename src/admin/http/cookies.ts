import { hash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

import type { SessionUse } from '../principal.ts'
import type { AdminRequest } from './admin-request.ts'
import { graphiqlPath } from './page-style.ts'

/**
 * The cookie of a session for the console, and of one for GraphiQL, which sends any document: to sign in there gives the
 * pages of the console no further right. Both have `Path=/`, as the prefix `__Host-` demands.
 */
export const sessionCookies: Readonly<Record<SessionUse, string>> = {
  console: 'dragoman_admin',
  graphiql: 'dragoman_graphiql',
}

/** How a cookie is set. */
interface CookieOptions {
  /** Whether the client speaks https: browsers then send the cookie to this host alone. */
  readonly isSecure: boolean
  /** `Strict`: not sent with a link from another site. Default. */
  readonly sameSite?: 'Strict' | 'Lax'
  /** How long browsers keep it, in seconds; 0 removes it. Absent: until they end. */
  readonly maxAge?: number
}

/** The header `set-cookie` of a cookie that pages cannot read. */
export function cookieOf(
  name: string,
  value: string,
  { isSecure, sameSite = 'Strict', maxAge }: CookieOptions,
): string {
  const parts = [
    `${isSecure ? '__Host-' : ''}${name}=${value}`,
    'HttpOnly',
    `SameSite=${sameSite}`,
    'Path=/',
  ]
  if (isSecure) parts.push('Secure')
  if (maxAge !== undefined) parts.push(`Max-Age=${maxAge}`)
  return parts.join('; ')
}

/**
 * Reads a cookie. Over HTTPS only the `__Host-` cookie counts: no other host, such as one
 * beside it in its domain, can set that.
 */
export function readCookie(
  { headers }: IncomingMessage,
  name: string,
  { isSecure }: Pick<CookieOptions, 'isSecure'>,
): string | undefined {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim())
  const ofHttps = `__Host-${name}=`
  for (const known of isSecure ? [ofHttps] : [ofHttps, `${name}=`]) {
    const found = pairs.find((pair) => pair.startsWith(known))
    if (found) return found.slice(known.length)
  }
  return undefined
}

/** The header with which the page of GraphiQL proves that a request comes from it. */
const proofHeader = 'x-dragoman-graphiql'

/** The cookie that a request has of a session, and what the session must be for. */
export interface SessionCookie {
  readonly cookie: string
  readonly use: SessionUse
}

/**
 * Reads the session of a request. The session for GraphiQL counts below the path of GraphiQL and for requests with the
 * proof of its page: a script that an attacker brings into a page of the console gets neither the page nor the proof.
 */
export function sessionCookieOf({
  request,
  client,
}: Pick<AdminRequest, 'request' | 'client'>): SessionCookie | undefined {
  const graphiql = readCookie(request, sessionCookies.graphiql, client)
  const proof = request.headers[proofHeader]
  const isFound =
    graphiql !== undefined && (isBelowGraphiQL(request) || isEqual(proof, proofOf(graphiql)))
  if (isFound) return { cookie: graphiql, use: 'graphiql' }
  const cookie = readCookie(request, sessionCookies.console, client)
  return proof !== undefined || cookie === undefined ? undefined : { cookie, use: 'console' }
}

/** The text that only the page of GraphiQL has, of the session that it is served to. */
export function proofOf(cookie: string): string {
  return hash('sha256', `graphiql ${cookie}`, 'base64url')
}

function isBelowGraphiQL({ url = '' }: Pick<IncomingMessage, 'url'>): boolean {
  return url.startsWith(graphiqlPath) && /^(?:[/?]|$)/.test(url.slice(graphiqlPath.length))
}

function isEqual(given: string | string[] | undefined, proof: string): boolean {
  const [one, other] = [Buffer.from(String(given)), Buffer.from(proof)]
  return one.length === other.length && timingSafeEqual(one, other)
}
