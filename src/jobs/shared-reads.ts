import { GatewayError } from '../contract/errors.ts'
import type { Understood } from '../contract/exchange.ts'
import { type Semaphore, createSemaphore } from '../lib/semaphore.ts'

/** The exchange that waits. Its call says whether it goes on without the client. */
export type Waiter = Pick<Understood, 'client' | 'call' | 'caller'>

/** The result of shared work. Rejects with `client_closed_request` once this client has left. */
function unlessGone<T>(work: Promise<T>, { client, call }: Waiter): Promise<T> {
  if (call.finishWithoutClient) return work
  return new Promise((resolve, reject) => {
    const stop = client.onGone(() => reject(clientLeft()))
    void work.then(resolve, reject).finally(stop)
  })
}

/** Slots for reads, of which each key has a share. */
class ReadSlots {
  readonly #slots = createSemaphore(concurrency, concurrencyOfKey)
  /** The reads of each key, those that wait included. */
  readonly #ofKeys = new Map<string, number>()
  readonly #waitMs: number
  #reads = 0

  constructor(waitMs: number) {
    this.#waitMs = waitMs
  }

  /** Runs `read` in a slot. Rejects with `lookup_unavailable` if too many others wait, or wait too long. */
  async run<T>(exchange: Waiter, read: () => Promise<T>): Promise<T> {
    const { keyId } = exchange.caller
    const ofKey = this.#ofKeys.get(keyId) ?? 0
    if (this.#reads >= mostReads || ofKey >= mostReadsOfKey) throw tooMany()
    this.#count(keyId, 1)
    try {
      using _slot = await slotOf(this.#slots, exchange, this.#waitMs)
      return await read()
    } finally {
      this.#count(keyId, -1)
    }
  }

  #count(keyId: string, more: number): void {
    this.#reads += more
    const ofKey = (this.#ofKeys.get(keyId) ?? 0) + more
    if (ofKey > 0) this.#ofKeys.set(keyId, ofKey)
    else this.#ofKeys.delete(keyId)
  }
}

/** Waits for a slot for `waitMs` at most, and only while the client is there. */
async function slotOf(
  slots: Semaphore,
  { client, call, caller }: Waiter,
  waitMs: number,
): Promise<Disposable> {
  if (client.gone && !call.finishWithoutClient) throw clientLeft()
  const waiting = new AbortController()
  const timer = setTimeout(() => waiting.abort(tooMany()), waitMs)
  const stop = call.finishWithoutClient
    ? undefined
    : client.onGone(() => waiting.abort(clientLeft()))
  try {
    return await slots.take(waiting.signal, caller.keyId)
  } finally {
    clearTimeout(timer)
    stop?.()
  }
}

function clientLeft(): GatewayError {
  return new GatewayError('client_closed_request', 'The client closed the request.')
}

function tooMany(): GatewayError {
  const message = 'Too many results are being read at the moment.'
  return new GatewayError('lookup_unavailable', message, { headers: { 'retry-after-ms': '1000' } })
}

/** The maximum of concurrent reads: a result may be as large as several replies. */
const concurrency = 4

/** The maximum of concurrent reads for one API key, so that other keys find a slot. */
const concurrencyOfKey = 2

/** The maximum of reads, those that wait included, in all and for one API key. */
const mostReads = 400
const mostReadsOfKey = 100

/** The maximum wait for a read to begin, in milliseconds. */
const longestWaitMs = 20_000

/** Shares reads of large results between exchanges that request them at the same time. */
export interface SharedReads {
  /**
   * The result of `read`, which is called once for concurrent calls with the same key. At most four
   * reads run at a time, two of one API key. Rejects as `read` does, with `lookup_unavailable` if the read cannot
   * begin in time, and with `client_closed_request` once the client has left.
   */
  share<T>(key: string, exchange: Waiter, read: () => Promise<T>): Promise<T>
}

/** `waitMs` is the maximum wait for a read to begin, in milliseconds. */
export function createSharedReads(waitMs = longestWaitMs): SharedReads {
  const underway = new Map<string, Promise<unknown>>()
  const slots = new ReadSlots(waitMs)

  return {
    async share<T>(key: string, exchange: Waiter, read: () => Promise<T>): Promise<T> {
      for (;;) {
        const shared = underway.get(key) as Promise<T> | undefined
        if (!shared) break
        try {
          return await unlessGone(shared, exchange)
        } catch (error) {
          // Another client left and ended the read, so this exchange begins a new one.
          if (!hasLeft(error) || exchange.client.gone) throw error
        }
      }
      const own = slots.run(exchange, read).finally(() => underway.delete(key))
      underway.set(key, own)
      return own
    },
  }
}

function hasLeft(error: unknown): boolean {
  return GatewayError.isInstance(error) && error.code === 'client_closed_request'
}
