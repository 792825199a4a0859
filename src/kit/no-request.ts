import { Readable } from 'node:stream'

import type { ClientRequest } from '../contract/request.ts'

/** The request of a call that the gateway makes of its own accord: without headers and body. */
export function noRequest(): ClientRequest {
  const stream = Readable.from([])
  return { method: 'GET', path: '', query: '', headers: {}, remoteAddress: '', stream }
}
