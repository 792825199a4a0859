import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'

/** An account with nothing but a WebSocket, which a test serves. */
export interface SocketAccount extends AsyncDisposable {
  readonly url: string
  /** The handshakes' paths and headers. */
  readonly handshakes: readonly {
    readonly url: string
    readonly headers: Readonly<Record<string, unknown>>
  }[]
  /** The sockets that are open. */
  readonly sockets: ReadonlySet<WebSocket>
}

/** Starts an account. `refuse`: the status of each handshake; `reply`: what it answers to other requests. */
export async function socketAccount(
  serve: (socket: WebSocket) => void,
  { refuse, reply }: { readonly refuse?: number; readonly reply?: object } = {},
): Promise<SocketAccount> {
  const handshakes: { url: string; headers: Record<string, unknown> }[] = []
  const sockets = new WebSocketServer({ noServer: true })
  const server = createServer((_request, response) =>
    response
      .writeHead(reply ? 200 : 404, { 'content-type': 'application/json' })
      .end(JSON.stringify(reply ?? {})),
  )
  server.on('upgrade', (request, connection: Socket, head) => {
    handshakes.push({ url: request.url ?? '', headers: request.headers })
    if (refuse === undefined) sockets.handleUpgrade(request, connection, head, serve)
    else {
      const body = JSON.stringify({ error: { message: 'No.', type: 'server_error', code: null } })
      const head = `HTTP/1.1 ${refuse} No\r\ncontent-type: application/json\r\ncontent-length: ${body.length}`
      connection.end(`${head}\r\n\r\n${body}`)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    handshakes,
    sockets: sockets.clients,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets.clients) socket.terminate()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
