import { GatewayError } from '../contract/errors.ts'
import type { Limits } from '../contract/limits.ts'
import type { MemoryBudget, MemoryLease, MemoryUse } from '../contract/memory.ts'

/** The part of the memory that one key may use while others use it too. */
const keyShare = 1 / 2

/** The part that bodies may fill while they arrive, so that complete bodies find room. */
const bodyShare = 1 / 2

/**
 * Small exchanges have a free allowance on top of the memory, as parts of it: for all keys together, and for one key. So
 * they need not wait where large exchanges have filled the memory.
 */
const freeShare = 1 / 4
const freeKeyShare = 1 / 8

/** The most bytes of a small exchange. */
const smallBytes = 256 * 1024

/** The memory that a call takes by being there, in bytes: its connections, its objects, and the first bytes of each use. */
const bytesOfCall = 32 * 1024

/** The keys that a process serves at once at least, each with all of its calls. */
const leastKeys = 2

/** When a key with too many calls may ask again, in milliseconds. */
const callsWaitMs = 1_000

/** The longest wait for memory, in milliseconds. */
const longestWaitMs = 5_000

/** The most exchanges that wait, in all and of one key. */
const mostWaiting = 1_000
const mostWaitingOfKey = 100

/** The memory that the exchanges of one key hold, in bytes. */
interface KeyUsage {
  all: number
  bodies: number
  free: number
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
 * The memory of one process for bodies, parsed JSON and replies, and the number of its calls. A small exchange counts only
 * where the free parts are full. One exchange alone is always admitted: its size is limited otherwise.
 */
export class MemoryPool implements MemoryBudget {
  readonly #limit: number
  readonly #callsPerKey: number
  readonly #mostCalls: number
  readonly #waitMs: number
  readonly #keys = new Map<string, KeyUsage>()
  readonly #waiting = new Set<Waiter>()
  #used = 0
  #bodies = 0
  #free = 0
  #leases = 0

  /** `waitMs`: the longest wait for memory, in milliseconds. */
  constructor(
    { memoryBytes, callsPerKey }: Pick<Limits, 'memoryBytes' | 'callsPerKey'>,
    waitMs = longestWaitMs,
  ) {
    this.#limit = memoryBytes
    this.#callsPerKey = callsPerKey
    this.#mostCalls = Math.max(leastKeys * callsPerKey, memoryBytes / bytesOfCall)
    this.#waitMs = waitMs
  }

  /** The bytes in use, without the free allowance of small exchanges. */
  get bytes(): number {
    return this.#used
  }

  lease(keyId: string): MemoryLease {
    const usage = this.#keys.get(keyId)
    if (usage && usage.leases >= this.#callsPerKey) throw tooManyCalls(this.#callsPerKey)
    if (this.#leases >= this.#mostCalls) throw memoryFull()
    this.#leases++
    if (usage) {
      usage.leases++
      return new Lease(this, keyId, usage)
    }
    const first = { all: 0, bodies: 0, free: 0, leases: 1, waiting: 0 }
    this.#keys.set(keyId, first)
    return new Lease(this, keyId, first)
  }

  /** Changes the bytes that a lease holds, at once or after a wait. Rejects with `memory_full`. */
  change(lease: Lease, use: MemoryUse, bytes: number): Promise<void> | undefined {
    const { usage } = lease
    if (this.#take(lease, use, bytes)) {
      if (usage.waiting > 0) this.#endWaits(lease, use)
      return undefined
    }
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
    const { usage } = lease
    if (usage.waiting > 0) {
      for (const waiter of this.#waiting) {
        if (waiter.lease === lease) this.#give(waiter, memoryFull())
      }
    }
    for (const use of uses) this.#set(lease, use, 0)
    this.#leases--
    if (--usage.leases === 0) this.#keys.delete(lease.keyId)
  }

  /** Ends the waits of a lease for a use: what it holds now is all that it needs. */
  #endWaits(lease: Lease, use: MemoryUse): void {
    for (const waiter of this.#waiting) {
      if (waiter.lease === lease && waiter.use === use) this.#give(waiter)
    }
  }

  /** Sets the bytes that a lease holds, if there is room. */
  #take(lease: Lease, use: MemoryUse, bytes: number): boolean {
    const more = bytes - lease.held(use)
    if (more > 0 && !(lease.isFree && this.#fitsFree(lease, more))) {
      if (!this.#fits(lease, use, bytes)) return false
      if (lease.isFree) this.#count(lease)
    }
    this.#set(lease, use, bytes)
    return true
  }

  #fitsFree({ total, usage }: Lease, more: number): boolean {
    const limit = this.#limit
    return (
      total + more <= smallBytes &&
      this.#free + more <= limit * freeShare &&
      usage.free + more <= limit * freeKeyShare
    )
  }

  #fits(lease: Lease, use: MemoryUse, bytes: number): boolean {
    const { usage, total, isFree } = lease
    const more = bytes - lease.held(use)
    const fits = (used: number, own: number, limit: number) =>
      isFree ? used === 0 || used + own + more <= limit : used === own || used + more <= limit
    if (!fits(this.#used, total, this.#limit)) return false
    if (!fits(usage.all, total, this.#limit * keyShare)) return false
    if (use !== 'body') return true
    const own = lease.held('body')
    const bodies = this.#limit * bodyShare
    return fits(this.#bodies, own, bodies) && fits(usage.bodies, own, bodies * keyShare)
  }

  /** Moves the bytes of a lease from the free parts to the memory. */
  #count(lease: Lease): void {
    const { total, usage } = lease
    this.#addFree(usage, -total)
    lease.isFree = false
    this.#add(usage, total, lease.held('body'))
  }

  #set(lease: Lease, use: MemoryUse, bytes: number): void {
    const more = bytes - lease.held(use)
    lease.set(use, bytes)
    if (lease.isFree) this.#addFree(lease.usage, more)
    else this.#add(lease.usage, more, use === 'body' ? more : 0)
    if (more < 0 && this.#waiting.size > 0) this.#serve()
  }

  #addFree(usage: KeyUsage, bytes: number): void {
    this.#free += bytes
    usage.free += bytes
  }

  #add(usage: KeyUsage, bytes: number, ofBodies: number): void {
    this.#used += bytes
    this.#bodies += ofBodies
    usage.all += bytes
    usage.bodies += ofBodies
  }

  /** A waiter that does not fit does not stop those behind it: it may lack the share of its own key. */
  #serve(): void {
    for (const waiter of this.#waiting) {
      const { lease, use, bytes } = waiter
      if (this.#take(lease, use, bytes)) this.#give(waiter)
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
  /** Absent until it holds something, as most never do. */
  #held: Map<MemoryUse, number> | undefined
  #isOver = false
  /** Whether its bytes are in the free parts. */
  isFree = true
  total = 0

  constructor(pool: MemoryPool, keyId: string, usage: KeyUsage) {
    this.#pool = pool
    this.keyId = keyId
    this.usage = usage
  }

  held(use: MemoryUse): number {
    return this.#held?.get(use) ?? 0
  }

  set(use: MemoryUse, bytes: number): void {
    this.total += bytes - this.held(use)
    ;(this.#held ??= new Map()).set(use, bytes)
  }

  hold(use: MemoryUse, bytes: number): Promise<void> | undefined {
    return this.#isOver ? undefined : this.#pool.change(this, use, bytes)
  }

  [Symbol.dispose](): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#pool.end(this, this.#held?.keys() ?? [])
  }
}

function tooManyCalls(most: number): GatewayError {
  const message = `This API key has ${most} calls in progress, the most that one key may have. Try again shortly.`
  return new GatewayError('rate_limited', message, { retryAfterMs: callsWaitMs })
}

function memoryFull(): GatewayError {
  const message = 'The memory for requests is full at the moment. Try again shortly.'
  return new GatewayError('memory_full', message, { headers: { 'retry-after': '5' } })
}
