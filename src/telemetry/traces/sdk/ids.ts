import { randomBytes } from 'node:crypto'

/** In bytes: to ask the system for each id costs more than the id. */
const poolSize = 4_096

/** Random hex digits for the next ids. */
let pool = ''

let used = 0

/** Ids of zeros are none. */
const noTrace = '0'.repeat(32)
const noSpan = '0'.repeat(16)

function newDigits(count: number): string {
  if (used + count > pool.length) {
    pool = randomBytes(poolSize).toString('hex')
    used = 0
  }
  return pool.slice(used, (used += count))
}

/** The ids of a new trace, of 32 hex digits, and of its first span, of 16. */
export function newRoot(): { readonly traceId: string; readonly spanId: string } {
  const traceId = newDigits(32)
  const spanId = newDigits(16)
  return traceId === noTrace || spanId === noSpan ? newRoot() : { traceId, spanId }
}

/** A new id of a span: 16 hex digits. */
export function newSpanId(): string {
  const id = newDigits(16)
  return id === noSpan ? newSpanId() : id
}
