/** Bytes of a file, the last one included. */
export interface FileRange {
  readonly start: number
  readonly end: number
}

/**
 * What a `Range` header asks for (RFC 9110 section 14): one range, `unsatisfiable`, or `undefined`
 * for the whole, as for several ranges or a unit that nobody knows.
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
