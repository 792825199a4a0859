import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Listener {
  /** `http://127.0.0.1:8787`, as a client on this machine reaches it. */
  readonly url: string
  readonly port: number
  /** Takes no new connections; resolves when the last one has ended. */
  close(): Promise<void>
  /** Ends what is still open. */
  closeNow(): void
}

/**
 * Longer than the keep-alive of common proxies: when the side that sends closes an idle connection
 * first, no request can be lost on it.
 */
const keepAliveMs = 75_000

/** Serves on one address. Rejects with the system's error where the address can't be had. */
export function listen(
  listener: RequestListener,
  { host, port }: { host: string; port: number },
): Promise<Listener> {
  const server = createServer(
    {
      keepAliveTimeout: keepAliveMs,
      headersTimeout: keepAliveMs + 5_000,
      // Bodies have a deadline of their own, by silence and not by size.
      requestTimeout: 0,
      noDelay: true,
    },
    listener,
  )
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
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

/** Node leaves a connection open for its whole keep-alive after the last answer; this does not. */
async function closeGently(server: ReturnType<typeof createServer>): Promise<void> {
  const closeIdle = setInterval(() => server.closeIdleConnections(), 50)
  await new Promise<void>((resolve) => server.close(() => resolve()))
  clearInterval(closeIdle)
}
