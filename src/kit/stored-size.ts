/**
 * Bytes of what is kept of one response. Beyond it stores may not answer within their deadline: on a
 * busy machine a file takes 12 MiB of JSON in 250 ms.
 */
export const maxStoredBytes = 8 * 1024 * 1024

/** Of what is read, changed and written at once, which takes twice as long. */
export const maxUpdatedBytes = 4 * 1024 * 1024

/** What stands around a value in JSON text: quotes, a comma, a colon. */
const around = 4

/** Nothing that anybody means is nested deeper, and what is cannot always be written as JSON. */
const deepest = 500

/** About how many bytes a value is as JSON text, without writing it; too deep ones are endless. */
export function storedSizeOf(value: unknown, depth = 0): number {
  if (typeof value === 'string') return Buffer.byteLength(value) + around
  if (typeof value !== 'object' || value === null) return 2 * around
  if (depth > deepest) return Infinity
  let size = around
  if (Array.isArray(value)) {
    for (const member of value) size += storedSizeOf(member, depth + 1)
    return size
  }
  for (const [name, member] of Object.entries(value)) {
    size += name.length + around + storedSizeOf(member, depth + 1)
  }
  return size
}
