import { Client, type Dispatcher, Pool, buildConnector } from 'undici'

import type { Peer } from '../contract/request.ts'
import { type AwaitingConnection, skipContinue } from './skip-continue.ts'

/** The state of the connection that carries a request. */
export interface Connection extends AwaitingConnection {
  /** Whether it has carried an earlier request. */
  isUsed: boolean
  /** Its other end. Absent: it was never established, or its socket has no address. */
  peer: Peer | undefined
}

/** An undici handler that learns which connection carries its request. */
export interface UpstreamHandler extends Dispatcher.DispatchHandler {
  /** Set before the request is sent. */
  connection?: Connection | undefined
}

/** An undici client, one connection at a time, that hands its connection to each request. */
class TrackedClient extends Client {
  readonly #connection: Connection

  constructor(origin: string | URL, options: object & { readonly connect?: unknown }) {
    const connection: Connection = { isUsed: false, peer: undefined, awaitsHead: false }
    super(origin, { ...options, connect: trackedConnector(options.connect, connection) })
    this.#connection = connection
    // undici emits it before the first request is written to the new connection.
    this.on('connect', () => (connection.isUsed = false))
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: UpstreamHandler): boolean {
    handler.connection = this.#connection
    this.#connection.awaitsHead = true
    return super.dispatch(options, handler)
  }
}

/** The connector of the pool, whose sockets skip `100 Continue`. */
function trackedConnector(connect: unknown, connection: Connection): buildConnector.connector {
  const open =
    typeof connect === 'function' ? (connect as buildConnector.connector) : buildConnector({})
  return (options, callback) =>
    open(options, (...[error, socket]) => {
      if (error) return callback(error, null)
      skipContinue(socket, connection)
      const { remoteAddress: address, remotePort: port } = socket
      connection.peer = address && port ? { address, port } : undefined
      callback(null, socket)
    })
}

/** Creates a pool of tracked clients for one origin; usable as the `factory` of an undici agent. */
export function createTrackedPool(origin: string | URL, options: object): Dispatcher {
  const factory = (url: URL, its: object) => new TrackedClient(url, its)
  return new Pool(origin, { ...options, factory })
}
