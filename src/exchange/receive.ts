import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'

import type { Snapshot } from '../contract/candidate.ts'
import type { Progress, Received } from '../contract/exchange.ts'
import type { Summary } from '../contract/outcome.ts'
import type { ClientConnection, ClientWatcher, ErrorForm, Peer } from '../contract/request.ts'
import type { AcceptSocket } from '../contract/socket.ts'
import { type Client, plain } from './client.ts'
import { enterReceived } from './record.ts'

/** Reports a defect that no client learns of. */
type Report = (message: string, error: unknown) => void

/** Returns a request target without scheme and host, which some proxies send (RFC 9112 section 3.2.2). */
function originForm(target: string): string {
  if (target.startsWith('/')) return target
  return target.replace(/^https?:\/\/[^/?#]*/i, '') || '/'
}

/** A request of a client. */
export interface IncomingRequest extends IncomingMessage {
  /** Whether the client waits for `100 Continue`, which Node has not sent, before it sends the body. */
  awaitsContinue?: boolean
  /** Set for a request that may become a WebSocket. */
  accept?: AcceptSocket
}

/**
 * Creates a value for `x-request-id`. It begins with its time, by which the ledger finds its rows: a UUID of version 7
 * (RFC 9562 section 5.7), which some versions of Node that the package permits cannot make.
 */
export function newRequestId(): string {
  const time = Date.now().toString(16).padStart(12, '0')
  return `req_${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}

/**
 * The first stage: creates the exchange of a request of `sender`. Calls `onEnd` once with its summary, after the last
 * byte of the response or after the client has left.
 */
export function receive(
  request: IncomingRequest,
  response: ServerResponse,
  sender: Client,
  snapshot: Snapshot,
  errors: ErrorForm,
  onEnd: (exchange: Received, summary: Summary) => void,
  report: Report,
): Received {
  const url = originForm(request.url ?? '/')
  const mark = url.indexOf('?')
  const client = new Connection(response, report)
  const clientRequest = {
    method: request.method ?? 'GET',
    path: mark < 0 ? url : url.slice(0, mark),
    query: mark < 0 ? '' : url.slice(mark + 1),
    headers: request.headers,
    remoteAddress: sender.address,
    isAddressUnclear: sender.isUnclear,
    publicUrl: sender.publicUrl,
    scheme: sender.scheme,
    isProxied: sender.isProxied,
    stream: request,
    askForBody: request.headers.expect === undefined ? undefined : askerOf(request, response),
    acceptSocket: request.accept,
  }
  const id = (response.getHeader('x-request-id') as string | undefined) ?? newRequestId()
  const exchange = enterReceived(id, clientRequest, client, snapshot, errors)
  response.on('close', () => {
    if (!response.writableFinished) client.leave()
    onEnd(exchange, summarize(exchange, response))
  })
  return exchange
}

/** Summarises an exchange after the last byte of its reply, or after its client has left. */
function summarize({ progress, receivedAt }: Received, response: ServerResponse): Summary {
  const complete = response.writableFinished || hasLastFrame(progress, response)
  const gone = progress.error?.code === 'client_closed_request' || (!complete && !progress.error)
  const isBroken = !complete || (progress.streamed && progress.outcome?.error !== undefined)
  return {
    status: gone && !response.headersSent ? 499 : response.statusCode,
    end: gone ? 'client_gone' : isBroken ? 'broken' : 'complete',
    durationMs: performance.now() - receivedAt,
  }
}

/** Many clients close the connection as soon as they have read the frame that completes a stream. */
function hasLastFrame({ concluded, stream }: Progress, response: ServerResponse): boolean {
  return concluded && response.writableLength === 0 && stream?.readableLength === 0
}

/** Returns a function that sends `100 Continue` once, if the client waits for it. */
function askerOf(request: IncomingRequest, response: ServerResponse): () => void {
  return () => {
    if (request.awaitsContinue && !response.headersSent) response.writeContinue()
    request.awaitsContinue = false
  }
}

/**
 * The client's connection. The first watcher, nearly always the only one, is stored without a set or a
 * closure: in GC traces, dead exchanges kept younger ones alive through those from one collection to
 * the next (a fifth of them).
 */
class Connection implements ClientConnection {
  gone = false
  readonly #response: ServerResponse
  readonly #report: Report
  #watcher: ClientWatcher | undefined
  #more: Set<ClientWatcher> | undefined
  #abort: AbortController | undefined

  constructor(response: ServerResponse, report: Report) {
    this.#response = response
    this.#report = report
  }

  leave(): void {
    this.gone = true
    if (this.#watcher) this.#notify(this.#watcher)
    for (const watcher of this.#more ?? []) this.#notify(watcher)
    this.#abort?.abort()
  }

  reset(): void {
    this.#response.destroy()
  }

  /** Catches errors, so that every watcher is notified. */
  #notify(watcher: ClientWatcher): void {
    try {
      watcher.onClientGone()
    } catch (error) {
      this.#report('a callback of `onGone` failed', error)
    }
  }

  /** The other end of the connection. Node's socket keeps the address after its end, too. */
  get peer(): Peer | undefined {
    const { remoteAddress, remotePort } = this.#response.req.socket
    if (remoteAddress === undefined || remotePort === undefined) return undefined
    return { address: plain(remoteAddress), port: remotePort }
  }

  get httpVersion(): string {
    return this.#response.req.httpVersion
  }

  get signal(): AbortSignal {
    if (!this.#abort) {
      this.#abort = new AbortController()
      if (this.gone) this.#abort.abort()
    }
    return this.#abort.signal
  }

  watch(watcher: ClientWatcher): void {
    if (this.#watcher) (this.#more ??= new Set()).add(watcher)
    else this.#watcher = watcher
    if (this.gone) this.#notify(watcher)
  }

  unwatch(watcher: ClientWatcher): void {
    if (this.#watcher === watcher) this.#watcher = undefined
    else this.#more?.delete(watcher)
  }

  onGone(callback: () => void): () => void {
    const watcher = { onClientGone: callback }
    this.watch(watcher)
    return () => this.unwatch(watcher)
  }
}
