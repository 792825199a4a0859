import { GatewayError } from '../contract/errors.ts'
import type { Received, Routed } from '../contract/exchange.ts'
import { hold } from '../exchange/record.ts'

/** What uploads that stand in bodies take of memory together: one for a gateway. */
export class UploadRoom {
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

  /** `whole` is what the body that they go into has by then. Throws as `takeRoom` does. */
  take(bytes: number, whole: number): void {
    if (whole > this.#limit) throw tooLarge(this.#limit)
    if (this.#bytes + bytes > this.#limit) throw noRoom()
    this.#bytes += bytes
  }

  give(bytes: number): void {
    this.#bytes -= bytes
  }

  /** Each account is told in a body of its own, in place of the one before. */
  leaseOf(exchange: Received): Lease {
    const { attempt, candidate } = exchange as Partial<Routed>
    const last = this.#leases.get(exchange.progress)
    if (last && last.attempt === attempt && last.candidate === candidate) return last
    if (last?.attempt !== undefined) last[Symbol.dispose]()
    const lease = new Lease(this, attempt, candidate)
    this.#leases.set(exchange.progress, lease)
    hold(exchange, lease)
    return lease
  }
}

class Lease implements Disposable {
  readonly attempt: number | undefined
  readonly candidate: Routed['candidate'] | undefined
  readonly #room: UploadRoom
  #bytes = 0

  constructor(
    room: UploadRoom,
    attempt: number | undefined,
    candidate: Routed['candidate'] | undefined,
  ) {
    this.#room = room
    this.attempt = attempt
    this.candidate = candidate
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

/**
 * Has to be called before so many bytes of an upload are read into a body; they are given back when
 * all work of the exchange has ended. Throws `GatewayError` 503 where others have taken all room, 413
 * where the body would be too large with nothing else there.
 */
export function takeRoom(exchange: Received, bytes: number): void {
  exchange.progress.room?.leaseOf(exchange).take(bytes)
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
