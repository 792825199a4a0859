import { UsageError } from '../command.ts'

const units = { h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000, y: 365 * 86_400_000 }

/**
 * When a key ends, in milliseconds since 1970: `30d` from now (h, d, w, y), or an ISO 8601 time.
 * Throws `UsageError`.
 */
export function parseExpiry(text: string, now: number): number {
  const [, count, unit] = /^(\d{1,4})([hdwy])$/.exec(text) ?? []
  const time =
    count && unit ? now + Number(count) * units[unit as keyof typeof units] : isoTime(text)
  if (Number.isNaN(time)) {
    throw new UsageError(
      `"${text}" is no time for --expires: use 30d (h, d, w, y) or 2030-01-31T00:00:00Z.`,
    )
  }
  if (time > now) return time
  throw new UsageError(`--expires ${text} is in the past.`)
}

// Without a zone it would mean something else on each machine.
function isoTime(text: string): number {
  const form = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/
  return form.test(text) ? Date.parse(text) : Number.NaN
}
