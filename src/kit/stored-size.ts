/**
 * The largest stored response, in bytes. Stores may miss their deadline with more: on a busy machine
 * writing 12 MiB of JSON to a file takes 250 ms.
 */
export const maxStoredBytes = 8 * 1024 * 1024

/** The largest resource, in bytes, that is read, changed and written in one step. */
export const maxUpdatedBytes = 4 * 1024 * 1024

/** Bytes around a value in JSON text: quotes, a comma, a colon. */
const around = 4

/** Deeper values cannot always be serialised. */
const deepest = 500

/** Estimates the size of a value as JSON text, in bytes; `Infinity` if it is nested too deeply. */
export function storedSizeOf(value: unknown, depth = 0): number {
  if (typeof value === 'string') return Buffer.byteLength(value) + around
  if (typeof value !== 'object' || value === null) return 2 * around
  if (depth > deepest) return Infinity
  let size = around
  if (Array.isArray(value)) {
    for (const member of value) size += storedSizeOf(member, depth + 1)
    return size
  }
  for (const name in value) {
    const member = (value as Record<string, unknown>)[name]
    size += name.length + around + storedSizeOf(member, depth + 1)
  }
  return size
}
