/**
 * Bytes of what is kept of one response. Beyond it stores may not answer within their deadline: on a
 * busy machine a file takes 12 MiB of JSON in 250 ms.
 */
export const largestKept = 8 * 1024 * 1024

/** Of what is read, changed and written at once, which takes twice as long. */
export const largestChanged = 4 * 1024 * 1024

/** What stands around a value in JSON text: quotes, a comma, a colon. */
const around = 4

/** About how many bytes a value is as JSON text, without writing it. */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value) + around
  if (typeof value !== 'object' || value === null) return 2 * around
  let size = around
  for (const [name, member] of Object.entries(value)) {
    size += (Array.isArray(value) ? 0 : name.length + around) + sizeOf(member)
  }
  return size
}
