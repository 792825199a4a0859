import type { IncomingMessage } from 'node:http'

import type { AdminAccessSetting, Settings } from '../../configuration/settings.ts'
import { plain } from '../../exchange/client.ts'
import { bracketed, isLoopbackHost } from '../../lib/hosts.ts'
import type { HttpError } from './http-error.ts'

const none: AdminAccessSetting = { allowedHosts: [], trustedProxies: [] }

/** How the configuration lets browsers and proxies reach the admin address. */
export function accessOf({ adminAccess = none }: Settings): AdminAccessSetting {
  return adminAccess
}

/**
 * Finds why a request may come from a foreign site: its target or its Host header names a host that is
 * not of the admin address (a name that an attacker points to it, DNS rebinding), or it comes from a page
 * of another origin. `allowed` are names and addresses, each with or without a port.
 */
export function faultOfSite(
  request: IncomingMessage,
  allowed: readonly string[],
): HttpError | undefined {
  const { headers, url = '' } = request
  if (!url.startsWith('/')) return misdirected('The target of a request is a path.')
  const host = hostOf(headers.host)
  if (!host || !isAllowed(host, request, allowed))
    return misdirected(
      'This Host is not of the admin address. Use a loopback address, or name the host in `admin.allowedHosts`.',
    )
  if (headers.origin !== undefined && !isSame(headers.origin, headers.host!))
    return { status: 403, code: 'FOREIGN_ORIGIN', message: 'The page of another origin sent this.' }
  return undefined
}

/**
 * Finds why a request with a cookie may not be of the own pages. The header `x-dragoman-console` makes
 * browsers ask before they send a request of another origin.
 */
export function faultOfCookieRequest({ headers }: IncomingMessage): HttpError | undefined {
  if (!isOwnSite(headers['sec-fetch-site']))
    return { status: 403, code: 'FOREIGN_ORIGIN', message: 'The page of another site sent this.' }
  if (headers['x-dragoman-console'] === '1') return undefined
  return {
    status: 403,
    code: 'CONSOLE_HEADER_REQUIRED',
    message: 'A request with a session needs the header `x-dragoman-console: 1`.',
  }
}

/** Whether a browser says that the own pages, or the user, sent a request. Other clients say nothing. */
export function isOwnSite(site: string | string[] | undefined): boolean {
  return site === undefined || site === 'same-origin' || site === 'none'
}

/** Browsers say what they fetch for: what a script, an image or a frame of a page asks for is no page of its own. */
export function isPage({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const purpose = headers['sec-fetch-dest']
  return purpose === undefined || purpose === 'document'
}

function misdirected(message: string): HttpError {
  return { status: 421, code: 'FOREIGN_HOST', message }
}

interface Host {
  /** In lower case, an address of IPv6 in brackets. */
  readonly name: string
  /** The name with its port, if it has one. */
  readonly full: string
}

function hostOf(header: string | undefined): Host | undefined {
  const url =
    header === undefined || !/^[\w.:[\]-]+$/.test(header) ? null : URL.parse(`http://${header}`)
  if (!url || url.hostname === '') return undefined
  const name = url.hostname.replace(/\.$/, '')
  return { name, full: url.port === '' ? name : `${name}:${url.port}` }
}

function isAllowed(
  { name, full }: Host,
  { socket }: IncomingMessage,
  allowed: readonly string[],
): boolean {
  if (isLoopbackHost(name)) return true
  // A client that names the address itself has asked no foreign name server.
  if (name === inHost(plain(socket.localAddress ?? ''))) return true
  return allowed.some((entry) => {
    const one = entry.toLowerCase()
    return one === name || one === full
  })
}

function inHost(address: string): string | undefined {
  return hostOf(bracketed(address))?.name
}

function isSame(origin: string, host: string): boolean {
  const page = URL.parse(origin)
  return page !== null && page.host === URL.parse(`${page.protocol}//${host}`)?.host
}

/** Headers that proxies add to a request. */
const ofProxies = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
]

/**
 * Whether a request comes from this machine, whose users may read the details of readiness without a
 * token. A proxy on this machine has clients elsewhere: a configuration with proxies or hosts of their own
 * knows of one, and most name themselves.
 */
export function isLocal(
  { socket, headers }: IncomingMessage,
  { trustedProxies, allowedHosts }: Pick<AdminAccessSetting, 'trustedProxies' | 'allowedHosts'>,
): boolean {
  if (trustedProxies.length > 0 || allowedHosts.length > 0) return false
  if (ofProxies.some((name) => headers[name] !== undefined)) return false
  const { remoteAddress = '', localAddress = '' } = socket
  return isLoopbackHost(plain(remoteAddress)) && isLoopbackHost(plain(localAddress))
}
