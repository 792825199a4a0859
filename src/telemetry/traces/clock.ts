/**
 * Turns times of `performance.now()` into milliseconds since 1970. All spans of a trace share one: the SDK
 * measures an offset for each span, and children would begin before their parents.
 */
export type Clock = (time: number) => number

/** The offset of a clock now, in milliseconds. */
export function clockOffset(): number {
  return Date.now() - performance.now()
}
