import { GatewayError } from '../contract/errors.ts'
import type { Attempt, Received, Routed, UploadLease, UploadMemory } from '../contract/exchange.ts'
import type { MemoryLease } from '../contract/memory.ts'
import { disposeAtEnd, leaseOf } from '../exchange/record.ts'

/** The memory that a byte of an upload takes in a body: as base64, in the JSON and in its bytes. */
const bytesOfUpload = 4

/** The memory of uploads that are inlined into bodies: one pool per gateway. */
export class UploadMemoryPool implements UploadMemory {
  readonly #limit: number
  #bytes = 0

  /** `limit`: the size of the pool in bytes, counted before base64. */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** The allocated bytes. */
  get bytes(): number {
    return this.#bytes
  }

  /**
   * Allocates `bytes` for a body that then has `whole` bytes of uploads. Throws `GatewayError` 503 if
   * the pool is too full, 413 if such a body would not fit an empty pool.
   */
  allocate(bytes: number, whole: number): void {
    if (whole > this.#limit) throw tooLarge(this.#limit)
    if (this.#bytes + bytes > this.#limit) throw memoryFull()
    this.#bytes += bytes
  }

  /** Returns allocated bytes. */
  free(bytes: number): void {
    this.#bytes -= bytes
  }

  /** Allocates `bytes` until the attempt or the exchange ends. Throws as `allocate` does. */
  reserve(exchange: Received, bytes: number): Promise<void> | undefined {
    const lease = this.#leaseOf(exchange)
    lease.allocate(bytes)
    const memory = leaseOf(exchange)
    return memory.hold('uploads', memory.held('uploads') + bytes * bytesOfUpload)
  }

  /** The lease of the current attempt. A new attempt frees the lease of the attempt before it. */
  #leaseOf(exchange: Received): UploadLease {
    const { attempt } = exchange as Partial<Routed>
    const { progress } = exchange
    const last = progress.uploadLease
    if (last && last.attempt === attempt) return last
    if (last?.attempt) last[Symbol.dispose]()
    const lease = new Lease(this, attempt, leaseOf(exchange))
    progress.uploadLease = lease
    disposeAtEnd(exchange, lease)
    return lease
  }
}

/** The bytes that one attempt of an exchange has allocated. */
class Lease implements UploadLease {
  readonly attempt: Attempt | undefined
  readonly #pool: UploadMemoryPool
  readonly #memory: MemoryLease
  #bytes = 0

  constructor(pool: UploadMemoryPool, attempt: Attempt | undefined, memory: MemoryLease) {
    this.#pool = pool
    this.attempt = attempt
    this.#memory = memory
  }

  allocate(bytes: number): void {
    this.#pool.allocate(bytes, this.#bytes + bytes)
    this.#bytes += bytes
  }

  [Symbol.dispose](): void {
    const memory = this.#memory
    void memory.hold('uploads', Math.max(0, memory.held('uploads') - this.#bytes * bytesOfUpload))
    this.#pool.free(this.#bytes)
    this.#bytes = 0
  }
}

function tooLarge(limit: number): GatewayError {
  const message = `The uploads that this request names have more than ${limit} bytes together.`
  return new GatewayError('request_too_large', message)
}

function memoryFull(): GatewayError {
  const message = 'The memory for uploads is full: other requests use all of it. Try again shortly.'
  return new GatewayError('memory_full', message, { headers: { 'retry-after': '5' } })
}
