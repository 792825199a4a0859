import { Client, type Dispatcher, Pool } from 'undici'

/** The state of the connection that carries a request. */
export interface Connection {
  /** Whether it has carried an earlier request. */
  isUsed: boolean
}

/** An undici handler that learns which connection carries its request. */
export interface UpstreamHandler extends Dispatcher.DispatchHandler {
  /** Set before the request is sent. */
  connection?: Connection | undefined
}

/** An undici client, one connection at a time, that hands its connection to each request. */
class TrackedClient extends Client {
  readonly #connection: Connection = { isUsed: false }

  constructor(origin: string | URL, options: object) {
    super(origin, options)
    // undici emits it before the first request is written to the new connection.
    this.on('connect', () => (this.#connection.isUsed = false))
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: UpstreamHandler): boolean {
    handler.connection = this.#connection
    return super.dispatch(options, handler)
  }
}

/** Creates a pool of tracked clients for one origin; usable as the `factory` of an undici agent. */
export function createTrackedPool(origin: string | URL, options: object): Dispatcher {
  const factory = (url: URL, its: object) => new TrackedClient(url, its)
  return new Pool(origin, { ...options, factory })
}
