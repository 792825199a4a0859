import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'

import type { ClientOf } from '../../exchange/client.ts'

/** The client of a request to the admin address. */
export interface AdminClient {
  readonly address: string
  /** Whether it speaks https to a proxy. */
  readonly isSecure: boolean
}

/** Finds the client of a request to the admin address. */
export function adminClientOf(request: IncomingMessage, clientOf: ClientOf): AdminClient {
  const { address, scheme } = clientOf(request)
  return { address, isSecure: scheme === 'https' || saysHttps(request.headers) }
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

/** Browsers send it with every request that changes something; only a browser gets a cookie by it. */
function saysHttps({ origin }: IncomingMessage['headers']): boolean {
  return origin?.startsWith('https://') ?? false
}
