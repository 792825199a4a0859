/** The last second of the year 9999, since 1970: later dates have no ISO 8601 form of four digits. */
const latestTime = 253_402_300_799

/** A time as whole seconds since 1970; `undefined` for other values, and for times after the year 9999. */
export function wholeSeconds(value: unknown): number | undefined {
  const time = typeof value === 'number' ? Math.floor(value) : 0
  return time > 0 && time <= latestTime ? time : undefined
}
