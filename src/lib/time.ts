/**
 * The steady clock, for pauses and other waits within the process, in milliseconds since 1970 by the machine's clock
 * at the start of the process. A later change of the machine's clock does not move it.
 */
export function steadyNow(): number {
  return performance.timeOrigin + performance.now()
}

/** The machine's clock is slewed all the time; a larger difference is a step. Milliseconds. */
const leastStepMs = 100
/** How far the machine's clock is ahead of the steady one, in milliseconds. */
let aheadMs = 0

/**
 * A time on a clock as the machine's clock has it, in whole milliseconds since 1970. The same time of the steady clock
 * has the same result whenever it is asked for, unless the machine's clock is set meanwhile.
 */
export function machineTime(time: number, clock: () => number): number {
  const ahead = Date.now() - clock()
  if (clock !== steadyNow) return Math.round(time + ahead)
  if (Math.abs(ahead - aheadMs) >= leastStepMs) aheadMs = ahead
  return Math.round(time + aheadMs)
}

/** The last second of the year 9999, since 1970: later dates have no ISO 8601 form of four digits. */
const latestTime = 253_402_300_799

/** An RFC 3339 time as whole seconds since 1970; `undefined` for other texts. */
export function secondsOf(text: string | undefined): number | undefined {
  return wholeSeconds(Date.parse(text ?? '') / 1_000)
}

/** A time as whole seconds since 1970; `undefined` for other values, and for times after the year 9999. */
export function wholeSeconds(value: unknown): number | undefined {
  const time = typeof value === 'number' ? Math.floor(value) : 0
  return time > 0 && time <= latestTime ? time : undefined
}
