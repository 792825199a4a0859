import { type IncomingMessage, type RequestListener, createServer, request } from 'node:http'
import { type Duplex, duplexPair } from 'node:stream'

/** A request to a listener of this process. */
interface InProcessRequest {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  /** The address of the client, for which the request is sent. */
  readonly address: string
  /** Ends the connection, as a client does that leaves. */
  readonly signal: AbortSignal
}

/** Sends a request to a listener, and resolves with the head of its answer. Rejects without an answer. */
type SendInProcess = (request: InProcessRequest) => Promise<IncomingMessage>

/**
 * Creates what sends requests to a listener as if they came to its address: over HTTP, which frames them, but over no
 * socket.
 */
export function createInProcess(listener: RequestListener): SendInProcess {
  const server = createServer({ requestTimeout: 0, requireHostHeader: false }, listener)
  return ({ method, path, headers, body, address, signal }) => {
    const connection = connect(address)
    server.emit('connection', connection.server)
    const leave = () => void connection.client.destroy()
    return new Promise((resolve, reject) => {
      const sent = request({
        method,
        path,
        headers: {
          ...headers,
          connection: 'close',
          ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
        },
        createConnection: () => connection.client,
      })
      sent.on('error', reject)
      sent.on('response', resolve)
      sent.on('close', () => signal.removeEventListener('abort', leave))
      signal.addEventListener('abort', leave)
      if (signal.aborted) leave()
      sent.end(body)
    })
  }
}

/** Both ends of a connection. Each learns that the other has gone. */
function connect(remoteAddress: string): { readonly client: Duplex; readonly server: Duplex } {
  const [client, server] = duplexPair()
  client.on('error', () => {}).once('close', () => server.destroy())
  server.on('error', () => {}).once('close', () => client.push(null))
  // The parts of a socket that the gateway reads or calls.
  Object.assign(server, {
    remoteAddress,
    remotePort: 0,
    localAddress: remoteAddress,
    destroySoon: () => server.end(() => server.destroy()),
  })
  return { client, server }
}
