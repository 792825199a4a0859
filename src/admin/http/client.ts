import type { IncomingMessage } from 'node:http'

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

/** Browsers send it with every request that changes something; only a browser gets a cookie by it. */
function saysHttps({ origin }: IncomingMessage['headers']): boolean {
  return origin?.startsWith('https://') ?? false
}
