import { randomBytes } from 'node:crypto'

/** In bytes: to ask the system for each id costs more than the id. */
const poolSize = 4_096

/** Random bytes for the next ids, and their hex digits. */
let pool = Buffer.alloc(0)
let digits = ''

/** In bytes. */
let used = 0

/** Ids of zeros are none. */
const noTrace = '0'.repeat(32)
const noSpan = '0'.repeat(16)

/** Takes random bytes. Returns the place of the first. */
function take(bytes: number): number {
  if (used + bytes > pool.length) {
    pool = randomBytes(poolSize)
    digits = pool.toString('hex')
    used = 0
  }
  const from = used
  used += bytes
  return from
}

function hexOf(from: number, bytes: number): string {
  return digits.slice(2 * from, 2 * (from + bytes))
}

/** A new trace. */
interface Root {
  /** 32 hex digits. */
  readonly traceId: string
  /** The id of its first span: 16 hex digits. */
  readonly spanId: string
  /** By which `TraceIdRatioBasedSampler` decides: the four words of the trace's id, xor. */
  readonly sampled: number
}

/** The ids of a new trace. */
export function newRoot(): Root {
  const from = take(24)
  const traceId = hexOf(from, 16)
  const spanId = hexOf(from + 16, 8)
  if (traceId === noTrace || spanId === noSpan) return newRoot()
  const words = wordAt(from) ^ wordAt(from + 4) ^ wordAt(from + 8) ^ wordAt(from + 12)
  return { traceId, spanId, sampled: words >>> 0 }
}

function wordAt(place: number): number {
  const upper = (pool[place]! << 24) | (pool[place + 1]! << 16)
  return upper | (pool[place + 2]! << 8) | pool[place + 3]!
}

/** A new id of a span: 16 hex digits. */
export function newSpanId(): string {
  const id = hexOf(take(8), 8)
  return id === noSpan ? newSpanId() : id
}
