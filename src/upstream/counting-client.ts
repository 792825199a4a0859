import { Client, type Dispatcher, Pool } from 'undici'

/** What a request can know of the connection that it goes over. */
export interface Connection {
  /** Others have gone over it before. */
  isUsed: boolean
}

export interface UpstreamHandler extends Dispatcher.DispatchHandler {
  /** Set before the request is sent. */
  connection?: Connection | undefined
}

/** One connection after the other, each of which is told to the requests that go over it. */
class CountingClient extends Client {
  readonly #connection: Connection = { isUsed: false }

  constructor(origin: string | URL, options: object) {
    super(origin, options)
    // Told before anything is sent over it.
    this.on('connect', () => (this.#connection.isUsed = false))
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: UpstreamHandler): boolean {
    handler.connection = this.#connection
    return super.dispatch(options, handler)
  }
}

/** A pool of such connections to one origin: a factory of undici's agents. */
export function countingPool(origin: string | URL, options: object): Dispatcher {
  const factory = (url: URL, its: object) => new CountingClient(url, its)
  return new Pool(origin, { ...options, factory })
}
