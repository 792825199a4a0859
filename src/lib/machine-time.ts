/**
 * A time on a clock as the machine's clock has it, in whole milliseconds since 1970. The same time has the
 * same result whenever it is asked for, unless the clock is a test's.
 */
export function machineTime(time: number, clock: () => number): number {
  return Math.round(clock === Date.now ? time : Date.now() + time - clock())
}
