import { randomFillSync } from 'node:crypto'

/** Random bytes for the next ids: to ask the system for each id costs more than the id. */
const random = Buffer.alloc(4_096)

let used = random.length

/** Ids of zeros are none. */
const noTrace = '0'.repeat(32)
const noSpan = '0'.repeat(16)

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
  return traceId === noTrace || spanId === noSpan ? newRoot() : { traceId, spanId }
}

/** A new id of a span: 16 hex digits. */
export function newSpanId(): string {
  const id = newDigits(8)
  return id === noSpan ? newSpanId() : id
}
