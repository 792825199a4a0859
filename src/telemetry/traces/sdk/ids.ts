import { randomFillSync } from 'node:crypto'

/** Random bytes for the next ids: to ask the system for each id costs more than the id. */
const random = Buffer.alloc(4_096)

let used = random.length

function newDigits(bytes: number): string {
  if (used + bytes > random.length) {
    randomFillSync(random)
    used = 0
  }
  return random.toString('hex', used, (used += bytes))
}

/** The ids of a new trace, of 32 hex digits, and of its first span, of 16. */
export function newRoot(): { readonly traceId: string; readonly spanId: string } {
  const digits = newDigits(24)
  const [traceId, spanId] = [digits.slice(0, 32), digits.slice(32)]
  return isZero(traceId) || isZero(spanId) ? newRoot() : { traceId, spanId }
}

/** A new id of a span: 16 hex digits. */
export function newSpanId(): string {
  const id = newDigits(8)
  return isZero(id) ? newSpanId() : id
}

/** An id of zeros is none. */
function isZero(id: string): boolean {
  return !/[^0]/.test(id)
}
