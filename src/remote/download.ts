import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'

import { type buildConnector, Client, type Dispatcher } from 'undici'

import { type DialOptions, dial } from './dial.ts'

/** One answer of a server, without redirects. */
export interface DownloadReply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Empty where it was not wanted. */
  readonly body: Buffer
}

export interface DownloadOptions extends DialOptions {
  readonly signal: AbortSignal
  readonly headers: Record<string, string>
  /** Whether the body is to be read. Throws to refuse the answer. */
  wantsBody(status: number, headers: IncomingHttpHeaders): boolean
  /** Told of every piece of the body before it is kept. Throws to refuse it. */
  onBytes(count: number): void
}

/** Asks once, over a connection of its own that ends with the answer. */
export async function download(url: URL, options: DownloadOptions): Promise<DownloadReply> {
  const { signal } = options
  signal.throwIfAborted()
  let socket: Socket | undefined
  const client = new Client(url.origin, {
    // Without pipelining a connection serves one request.
    pipelining: 0,
    // The caller's signal carries the deadline of the whole.
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
        answerHandler(options, resolve, reject),
      )
    })
  } finally {
    // A client that is destroyed leaves connections alone that are still being opened.
    socket?.destroy()
    await client.destroy()
  }
}

/** Tells whether the connection came about, and nothing of what becomes of it afterwards. */
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

/** What it throws ends the request, and arrives at `onResponseError`. */
function answerHandler(
  { wantsBody, onBytes }: DownloadOptions,
  resolve: (answer: DownloadReply) => void,
  reject: (error: Error) => void,
): Dispatcher.DispatchHandler {
  const pieces: Buffer[] = []
  let answer: Omit<DownloadReply, 'body'> | undefined
  return {
    onRequestStart() {},
    onResponseStart(_, status, headers) {
      if (status < 200) return
      answer = { status, headers }
      if (!wantsBody(status, headers)) resolve({ ...answer, body: Buffer.alloc(0) })
    },
    onResponseData(_, piece) {
      onBytes(piece.length)
      pieces.push(piece)
    },
    onResponseEnd() {
      if (answer) resolve({ ...answer, body: Buffer.concat(pieces) })
    },
    onResponseError(_, error) {
      reject(error)
    },
  }
}
