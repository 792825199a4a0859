/** The parts of a W3C `traceparent`, version 00. */
interface TraceparentParts {
  /** 32 hex digits, not all 0. */
  readonly traceId: string
  /** 16 hex digits, not all 0. */
  readonly spanId: string
  /** 1: the trace is sampled. */
  readonly flags: number
}

const form = /^00-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})$/

/** In characters. */
const exactLength = 55

/** Writes a `traceparent`. */
export function writeTraceparent({ traceId, spanId, flags }: TraceparentParts): string {
  return `00-${traceId}-${spanId}-${flags & 1 ? '01' : '00'}`
}

/** Reads a `traceparent` as `writeTraceparent` writes it; `undefined` for any other value. */
export function readTraceparent(value: unknown): TraceparentParts | undefined {
  if (typeof value !== 'string' || value.length !== exactLength) return undefined
  const [, traceId, spanId, flags] = form.exec(value) ?? []
  if (!traceId || !spanId || !flags) return undefined
  return { traceId, spanId, flags: Number.parseInt(flags, 16) }
}

/** Whether a value is a `traceparent` as `writeTraceparent` writes it. */
export function isTraceparent(value: unknown): value is string {
  return readTraceparent(value) !== undefined
}
