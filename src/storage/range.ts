/** A range of bytes; `end` is the last byte of it. */
export interface FileRange {
  readonly start: number
  readonly end: number
}

/**
 * Parses a `Range` header (RFC 9110 section 14) for a file of `size` bytes: one range,
 * `unsatisfiable`, or `undefined` for the whole file: without a range, for several ranges and for an
 * unknown unit.
 */
export function readRange(
  header: string | undefined,
  size: number,
): FileRange | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '') ?? []
  if (first === '' && last === '') return undefined
  if (first === '') {
    const suffix = Number(last)
    if (suffix === 0 || size === 0) return 'unsatisfiable'
    return { start: Math.max(0, size - suffix), end: size - 1 }
  }
  const start = Number(first)
  if (last !== '' && Number(last) < start) return undefined
  if (start >= size) return 'unsatisfiable'
  return { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) }
}
