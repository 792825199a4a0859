import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'

import type { Snapshot } from './accounts/snapshot.ts'
import type { ClientConnection, Received } from './exchange.ts'
import { enterReceived } from './stages.ts'

export function newRequestId(): string {
  return `req_${randomUUID()}`
}

/** The first stage: what stands on the wire, and a name for it. `onEnd` is told of its end. */
export function receive(
  request: IncomingMessage,
  response: ServerResponse,
  snapshot: Snapshot,
  onEnd: (exchange: Received, response: ServerResponse) => void,
): Received {
  const url = request.url ?? '/'
  const mark = url.indexOf('?')
  const client = new Connection()
  const clientRequest = {
    method: request.method ?? 'GET',
    path: mark < 0 ? url : url.slice(0, mark),
    query: mark < 0 ? '' : url.slice(mark + 1),
    headers: request.headers,
    remoteAddress: request.socket.remoteAddress ?? '',
    stream: request,
  }
  const id = (response.getHeader('x-request-id') as string | undefined) ?? newRequestId()
  const exchange = enterReceived(id, clientRequest, client, snapshot)
  // Fires once for every response, after its last byte or when the client has left.
  response.once('close', () => {
    if (!response.writableFinished) client.leave()
    onEnd(exchange, response)
  })
  return exchange
}

/** Whether the client is still there, told to however many ask. */
class Connection implements ClientConnection {
  gone = false
  #callbacks: (() => void)[] = []
  #abort: AbortController | undefined

  leave(): void {
    this.gone = true
    for (const callback of this.#callbacks) callback()
    this.#abort?.abort()
  }

  get signal(): AbortSignal {
    if (!this.#abort) {
      this.#abort = new AbortController()
      if (this.gone) this.#abort.abort()
    }
    return this.#abort.signal
  }

  onGone(callback: () => void): () => void {
    this.#callbacks.push(callback)
    if (this.gone) callback()
    return () => {
      this.#callbacks = this.#callbacks.filter((one) => one !== callback)
    }
  }
}
