import { randomFillSync } from 'node:crypto'

/** Random bytes for the next ids: to ask the system for each id costs more than the id. */
const random = Buffer.alloc(4_096)

let used = random.length

function newId(bytes: number): string {
  if (used + bytes > random.length) {
    randomFillSync(random)
    used = 0
  }
  const id = random.toString('hex', used, (used += bytes))
  // An id of zeros is none.
  return /[^0]/.test(id) ? id : newId(bytes)
}

/** A new id of a trace: 32 hex digits. */
export function newTraceId(): string {
  return newId(16)
}

/** A new id of a span: 16 hex digits. */
export function newSpanId(): string {
  return newId(8)
}
