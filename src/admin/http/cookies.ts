import type { IncomingMessage } from 'node:http'

/** The cookie of a session. */
export const sessionCookie = 'dragoman_admin'

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
