import { GatewayError } from '../contract/errors.ts'
import type { MemoryBudget, MemoryLease, MemoryUse } from '../contract/memory.ts'

/** The part of the memory that one key may use while others use it too. */
const keyShare = 1 / 2

/** The part that bodies may fill while they arrive, so that those that are complete find room. */
const bodyShare = 1 / 2

/** The longest wait for memory, in milliseconds. */
const longestWaitMs = 5_000

/** The most exchanges that wait, in all and of one key. */
const mostWaiting = 1_000
const mostWaitingOfKey = 100

/** The memory that the exchanges of one key hold, in bytes. */
interface KeyUsage {
  all: number
  bodies: number
  leases: number
  waiting: number
}

interface Waiter {
  readonly lease: Lease
  readonly use: MemoryUse
  readonly bytes: number
  readonly resolve: () => void
  readonly reject: (error: GatewayError) => void
  readonly timer: NodeJS.Timeout
}

/**
 * The memory of one process for large bodies, parsed JSON and large replies. Small ones are not
 * counted. One exchange alone is always admitted: its size is limited otherwise.
 */
export class MemoryPool implements MemoryBudget {
  readonly #limit: number
  readonly #waitMs: number
  readonly #keys = new Map<string, KeyUsage>()
  readonly #waiting = new Set<Waiter>()
  #used = 0
  #bodies = 0

  /** `limit`: in bytes. `waitMs`: the longest wait for memory, in milliseconds. */
  constructor(limit: number, waitMs = longestWaitMs) {
    this.#limit = limit
    this.#waitMs = waitMs
  }

  /** The bytes in use. */
  get bytes(): number {
    return this.#used
  }

  lease(keyId: string): MemoryLease {
    const usage = this.#keys.get(keyId) ?? { all: 0, bodies: 0, leases: 0, waiting: 0 }
    usage.leases++
    this.#keys.set(keyId, usage)
    return new Lease(this, keyId, usage)
  }

  /** Changes the bytes that a lease holds, at once or after a wait. Rejects with `memory_full`. */
  change(lease: Lease, use: MemoryUse, bytes: number): Promise<void> | undefined {
    if (bytes <= lease.held(use) || this.#fits(lease, use, bytes)) {
      this.#set(lease, use, bytes)
      return undefined
    }
    const { usage } = lease
    if (this.#waiting.size >= mostWaiting || usage.waiting >= mostWaitingOfKey) {
      return Promise.reject(memoryFull())
    }
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#give(waiter, memoryFull()), this.#waitMs)
      const waiter = { lease, use, bytes, resolve, reject, timer }
      usage.waiting++
      this.#waiting.add(waiter)
    })
  }

  /** Returns the memory of a lease, which ends. */
  end(lease: Lease, uses: Iterable<MemoryUse>): void {
    for (const waiter of this.#waiting) if (waiter.lease === lease) this.#give(waiter, memoryFull())
    for (const use of uses) this.#set(lease, use, 0)
    if (--lease.usage.leases === 0) this.#keys.delete(lease.keyId)
  }

  #fits(lease: Lease, use: MemoryUse, bytes: number): boolean {
    const { usage, total } = lease
    const more = bytes - lease.held(use)
    const fits = (used: number, own: number, limit: number) =>
      used - own === 0 || used + more <= limit
    if (!fits(this.#used, total, this.#limit)) return false
    if (!fits(usage.all, total, this.#limit * keyShare)) return false
    if (use !== 'body') return true
    const own = lease.held('body')
    const bodies = this.#limit * bodyShare
    return fits(this.#bodies, own, bodies) && fits(usage.bodies, own, bodies * keyShare)
  }

  #set(lease: Lease, use: MemoryUse, bytes: number): void {
    const more = bytes - lease.held(use)
    lease.set(use, bytes)
    this.#used += more
    lease.usage.all += more
    if (use === 'body') {
      this.#bodies += more
      lease.usage.bodies += more
    }
    if (more < 0) this.#serve()
  }

  /** A waiter that does not fit does not stop those behind it: it may lack the share of its own key. */
  #serve(): void {
    for (const waiter of this.#waiting) {
      const { lease, use, bytes } = waiter
      if (!this.#fits(lease, use, bytes)) continue
      this.#set(lease, use, bytes)
      this.#give(waiter)
    }
  }

  #give(waiter: Waiter, error?: GatewayError): void {
    clearTimeout(waiter.timer)
    this.#waiting.delete(waiter)
    waiter.lease.usage.waiting--
    if (error) waiter.reject(error)
    else waiter.resolve()
  }
}

/** The memory of one exchange, by its use. */
class Lease implements MemoryLease {
  readonly keyId: string
  readonly usage: KeyUsage
  readonly #pool: MemoryPool
  readonly #held = new Map<MemoryUse, number>()
  #isOver = false
  total = 0

  constructor(pool: MemoryPool, keyId: string, usage: KeyUsage) {
    this.#pool = pool
    this.keyId = keyId
    this.usage = usage
  }

  held(use: MemoryUse): number {
    return this.#held.get(use) ?? 0
  }

  set(use: MemoryUse, bytes: number): void {
    this.total += bytes - this.held(use)
    this.#held.set(use, bytes)
  }

  hold(use: MemoryUse, bytes: number): Promise<void> | undefined {
    return this.#isOver ? undefined : this.#pool.change(this, use, bytes)
  }

  [Symbol.dispose](): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#pool.end(this, this.#held.keys())
  }
}

function memoryFull(): GatewayError {
  const message = 'The memory for large requests is full at the moment. Try again shortly.'
  return new GatewayError('memory_full', message, { headers: { 'retry-after': '5' } })
}
