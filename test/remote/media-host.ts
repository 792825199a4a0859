import { readFileSync } from 'node:fs'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'

/** A host of pictures and documents on loopback, which nobody may reach unless it is allowed. */
export interface MediaHost extends AsyncDisposable {
  readonly port: number
  /** As operators allow it. */
  readonly address: string
  /** The bare origin, by address. */
  readonly url: string
  readonly requests: readonly IncomingMessage[]
  /** The connections that are open. */
  readonly open: ReadonlySet<Socket>
  /** How many connections there have been. */
  connections(): number
}

/** For `media.example` only, and signed by itself. */
export const certificate = readFileSync(`${import.meta.dirname}/tls/certificate.pem`, 'utf8')
const key = readFileSync(`${import.meta.dirname}/tls/key.pem`, 'utf8')

export async function startMediaHost(
  answer: (response: ServerResponse, request: IncomingMessage) => void,
  { secure = false } = {},
): Promise<MediaHost> {
  const requests: IncomingMessage[] = []
  const open = new Set<Socket>()
  let connections = 0
  const listener: RequestListener = (request, response) => {
    requests.push(request)
    answer(response, request)
  }
  const server = secure
    ? createSecureServer({ cert: certificate, key }, listener)
    : createServer(listener)
  server.on('connection', (socket: Socket) => {
    connections++
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const address = `127.0.0.1:${port}`
  return {
    port,
    address,
    url: `${secure ? 'https' : 'http'}://${address}`,
    requests,
    open,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
