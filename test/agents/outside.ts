/** The way out of the machine for an agent: a proxy that lets nobody through and remembers who asked. */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Outside extends AsyncDisposable {
  /** What makes programs go this way, except to this machine. */
  readonly env: Readonly<Record<string, string>>
  /** The hosts that were asked for. */
  readonly wanted: ReadonlySet<string>
}

export async function startOutside(): Promise<Outside> {
  const wanted = new Set<string>()
  const server = createServer((request, response) => {
    wanted.add(URL.parse(request.url ?? '')?.host ?? String(request.url))
    response.writeHead(403).end()
  })
  server.on('connect', (request, socket) => {
    wanted.add(String(request.url))
    socket.on('error', () => socket.destroy())
    socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const proxy = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const names = { http_proxy: proxy, https_proxy: proxy, no_proxy: '127.0.0.1,localhost' }
  const upper = Object.entries(names).map(([name, value]) => [name.toUpperCase(), value])
  return {
    env: { ...names, ...(Object.fromEntries(upper) as Record<string, string>) },
    wanted,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
