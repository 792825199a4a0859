import { GatewayError } from '../contract/errors.ts'
import type { Attempt, Received, Routed, UploadMemory } from '../contract/exchange.ts'
import { disposeAtEnd } from '../exchange/record.ts'

/** What uploads that stand in bodies take of memory together: one for a gateway. */
export class UploadMemoryPool implements UploadMemory {
  readonly #limit: number
  #bytes = 0
  /** The last one of each exchange that has any. */
  readonly #leases = new WeakMap<Received['progress'], Lease>()

  /** `limit` in bytes, before they are base64. */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** What is taken. */
  get bytes(): number {
    return this.#bytes
  }

  /** `whole` is what the body that they go into has by then. Throws as `reserve` does. */
  take(bytes: number, whole: number): void {
    if (whole > this.#limit) throw tooLarge(this.#limit)
    if (this.#bytes + bytes > this.#limit) throw noRoom()
    this.#bytes += bytes
  }

  give(bytes: number): void {
    this.#bytes -= bytes
  }

  reserve(exchange: Received, bytes: number): void {
    this.#leaseOf(exchange).take(bytes)
  }

  /** Each attempt has a body of its own, which replaces that of the attempt before. */
  #leaseOf(exchange: Received): Lease {
    const { attempt } = exchange as Partial<Routed>
    const last = this.#leases.get(exchange.progress)
    if (last && last.attempt === attempt) return last
    if (last?.attempt) last[Symbol.dispose]()
    const lease = new Lease(this, attempt)
    this.#leases.set(exchange.progress, lease)
    disposeAtEnd(exchange, lease)
    return lease
  }
}

class Lease implements Disposable {
  readonly attempt: Attempt | undefined
  readonly #room: UploadMemoryPool
  #bytes = 0

  constructor(room: UploadMemoryPool, attempt: Attempt | undefined) {
    this.#room = room
    this.attempt = attempt
  }

  take(bytes: number): void {
    this.#room.take(bytes, this.#bytes + bytes)
    this.#bytes += bytes
  }

  [Symbol.dispose](): void {
    this.#room.give(this.#bytes)
    this.#bytes = 0
  }
}

function tooLarge(limit: number): GatewayError {
  const message = `The uploads that this request names have more than ${limit} bytes together.`
  return new GatewayError('request_too_large', message)
}

function noRoom(): GatewayError {
  const message =
    'There is no room for the uploads of this request now: those of others have taken all of it. Try again shortly.'
  return new GatewayError('memory_full', message, { headers: { 'retry-after': '5' } })
}
