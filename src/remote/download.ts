import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'

import { type buildConnector, Client, type Dispatcher } from 'undici'

import { type DialOptions, dial } from './dial.ts'

/** One reply of a server; redirects are not followed. */
export interface DownloadReply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Empty if `wantsBody` returned false. */
  readonly body: Buffer
}

/** The options of one download. */
interface DownloadOptions extends DialOptions {
  readonly signal: AbortSignal
  readonly headers: Record<string, string>
  /** Whether to read the body. Throws to refuse the reply. */
  wantsBody(status: number, headers: IncomingHttpHeaders): boolean
  /** Called with the size of each piece of the body before it is stored. Throws to refuse it. */
  onBytes(count: number): void
}

/** Sends one GET over a new connection, and closes it. Rejects with the reason of the signal. */
export async function download(url: URL, options: DownloadOptions): Promise<DownloadReply> {
  const { signal } = options
  signal.throwIfAborted()
  let socket: Socket | undefined
  const client = new Client(url.origin, {
    // Without pipelining a connection serves one request.
    pipelining: 0,
    // The signal carries the deadline of the whole download.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect(_, callback) {
      socket = dial(url, options)
      settleOnce(socket, url.protocol === 'https:' ? 'secureConnect' : 'connect', callback)
    },
  })
  try {
    return await new Promise<DownloadReply>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
      const request = { method: 'GET', path: `${url.pathname}${url.search}` } as const
      client.dispatch(
        { ...request, headers: options.headers },
        replyHandler(options, resolve, reject),
      )
    })
  } finally {
    // Destroying the client does not close a connection that is still opening.
    socket?.destroy()
    await client.destroy()
  }
}

/** Calls back once the connection is open or has failed; ignores later errors of the socket. */
function settleOnce(socket: Socket, opened: string, callback: buildConnector.Callback): void {
  let settled = false
  socket
    .once(opened, () => {
      settled = true
      callback(null, socket)
    })
    .on('error', (error) => {
      if (!settled) callback(error, null)
      settled = true
    })
}

/** Collects a reply. Errors that it throws end the request and arrive at `onResponseError`. */
function replyHandler(
  { wantsBody, onBytes }: DownloadOptions,
  resolve: (reply: DownloadReply) => void,
  reject: (error: Error) => void,
): Dispatcher.DispatchHandler {
  const pieces: Buffer[] = []
  let reply: Omit<DownloadReply, 'body'> | undefined
  return {
    onRequestStart() {},
    onResponseStart(_, status, headers) {
      if (status < 200) return
      reply = { status, headers }
      if (!wantsBody(status, headers)) resolve({ ...reply, body: Buffer.alloc(0) })
    },
    onResponseData(_, piece) {
      onBytes(piece.length)
      pieces.push(piece)
    },
    onResponseEnd() {
      if (reply) resolve({ ...reply, body: Buffer.concat(pieces) })
    },
    onResponseError(_, error) {
      reject(error)
    },
  }
}
