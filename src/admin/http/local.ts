import type { IncomingMessage } from 'node:http'

import type { AdminAccessSetting } from '../../configuration/settings.ts'
import { plain } from '../../exchange/client.ts'

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
  return isLoopback(socket.remoteAddress) && isLoopback(socket.localAddress)
}

function isLoopback(address = ''): boolean {
  const known = plain(address)
  return known === '::1' || known.startsWith('127.')
}
