import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'

import type { Snapshot } from '../contract/candidate.ts'
import type { Received } from '../contract/exchange.ts'
import type { Caller, ErrorForm } from '../contract/request.ts'
import { newRequestId } from './receive.ts'
import { enterReceived } from './record.ts'
import { createWaitingClient } from './waiting-client.ts'

/** A request of which an operator asks how it would be served. */
export interface DryRequest {
  readonly method: string
  /** Percent-encoded, without the query. */
  readonly path: string
  /** Names in small letters. */
  readonly headers: IncomingHttpHeaders
  /** Empty: no body. */
  readonly body: Buffer
  /** Whose request it would be. Absent: the key is not valid. */
  readonly caller: Caller | undefined
  /** Ends look-ups of the dry run. */
  readonly signal: AbortSignal
}

/** Creates the exchange of a request that no client has sent. Its body is read like a client's. */
export function receiveDryRun(
  request: DryRequest,
  snapshot: Snapshot,
  errors: ErrorForm,
): Received {
  const { method, path, body, signal } = request
  const stream = Readable.from(body.length > 0 ? [body] : [])
  const headers = { ...request.headers, 'content-length': String(body.length) }
  return enterReceived(
    newRequestId(),
    { method, path, query: '', headers, remoteAddress: '', stream },
    createWaitingClient(signal),
    snapshot,
    errors,
    true,
  )
}
