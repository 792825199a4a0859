import { createServer, type RequestListener, STATUS_CODES } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'

import { errorEnvelope } from '../kit/error-envelope.ts'
import { GatewayError } from '../contract/errors.ts'
import { newRequestId } from '../exchange/receive.ts'

/** A server that listens. */
export interface Listener {
  /** The URL for clients on this machine, such as `http://127.0.0.1:8787`. */
  readonly url: string
  readonly port: number
  /** Accepts no new connections. Resolves when the last connection has ended. */
  close(): Promise<void>
  /** Destroys all connections. */
  closeNow(): void
}

/**
 * Longer than the keep-alive of common proxies, so that the proxy closes an idle connection first and
 * never sends a request on a connection that this server closes.
 */
const keepAliveMs = 75_000

/** Listens on one address. Rejects with the system's error if the address is unavailable. */
export function listen(
  listener: RequestListener,
  { host, port }: { host: string; port: number },
): Promise<Listener> {
  const server = createServer(
    {
      keepAliveTimeout: keepAliveMs,
      headersTimeout: keepAliveMs + 5_000,
      // Request bodies have their own deadline, see `Timeouts.requestBodyMs`.
      requestTimeout: 0,
      noDelay: true,
    },
    listener,
  )
  server.on('clientError', refuseUnreadable)
  server.on('checkExpectation', (_request, response) => {
    const { headers, body } = bareError(417, 'Only `Expect: 100-continue` is supported.')
    response.writeHead(417, headers).end(body)
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      // Later errors concern single connections, which have ended.
      server.on('error', () => {})
      const address = server.address() as AddressInfo
      resolve({
        url: `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`,
        port: address.port,
        close: () => closeGently(server),
        closeNow: () => server.closeAllConnections(),
      })
    })
  })
}

const unreadable: Record<string, [status: number, message: string]> = {
  HPE_HEADER_OVERFLOW: [431, 'The request headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
}

/** Replies in the general envelope to bytes that are not HTTP, for which no exchange exists. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const [status, message] = unreadable[error.code ?? ''] ?? [
    400,
    'This is not a valid HTTP request.',
  ]
  const { headers, body } = bareError(status, message)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
}

function bareError(status: number, message: string) {
  const error = new GatewayError('invalid_request', message, { status })
  const body = JSON.stringify(errorEnvelope(error).body)
  const headers = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'x-request-id': newRequestId(),
    connection: 'close',
  }
  return { headers, body }
}

/** Closes idle connections too, which Node leaves open until their keep-alive ends. */
async function closeGently(server: ReturnType<typeof createServer>): Promise<void> {
  const closeIdle = setInterval(() => server.closeIdleConnections(), 50)
  await new Promise<void>((resolve) => server.close(() => resolve()))
  clearInterval(closeIdle)
}
