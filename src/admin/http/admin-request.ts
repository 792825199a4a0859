import type { IncomingMessage, ServerResponse } from 'node:http'

import type { AdminClient } from './client.ts'

/** A request on its way through the admin address. */
export interface AdminRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
  readonly client: AdminClient
  /** The client's `user-agent`, cut off. */
  readonly agent: string
}
