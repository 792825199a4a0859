import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'

import type { Snapshot } from './accounts/snapshot.ts'
import type { ClientConnection, Received } from './exchange.ts'

/** The first stage: what stands on the wire, and a name for it. */
export function receive(
  request: IncomingMessage,
  response: ServerResponse,
  snapshot: Snapshot,
): Received {
  const url = request.url ?? '/'
  const mark = url.indexOf('?')
  return {
    id: `req_${randomUUID().replaceAll('-', '')}`,
    receivedAt: performance.now(),
    request: {
      method: request.method ?? 'GET',
      path: mark < 0 ? url : url.slice(0, mark),
      query: mark < 0 ? '' : url.slice(mark + 1),
      headers: request.headers,
      remoteAddress: request.socket.remoteAddress ?? '',
      stream: request,
    },
    client: new Connection(response),
    snapshot,
    progress: { attempts: 0, bytesIn: 0, bytesOut: 0, streamed: false },
  }
}

/** Watches one response's connection with one listener, however many ask. */
class Connection implements ClientConnection {
  gone = false
  readonly #callbacks = new Set<() => void>()
  #abort: AbortController | undefined

  constructor(response: ServerResponse) {
    response.once('close', () => {
      if (response.writableFinished) return
      this.gone = true
      for (const callback of this.#callbacks) callback()
      this.#abort?.abort()
    })
  }

  get signal(): AbortSignal {
    if (!this.#abort) {
      this.#abort = new AbortController()
      if (this.gone) this.#abort.abort()
    }
    return this.#abort.signal
  }

  onGone(callback: () => void): () => void {
    this.#callbacks.add(callback)
    if (this.gone) callback()
    return () => this.#callbacks.delete(callback)
  }
}
