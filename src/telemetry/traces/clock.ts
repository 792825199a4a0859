/**
 * Turns times of `performance.now()` into milliseconds since 1970. All spans of a trace share one: the SDK
 * measures an offset for each span, and children would begin before their parents.
 */
export type Clock = (time: number) => number

/** In milliseconds. A clock that is set is followed after so long. */
const readEvery = 1_000

let readAt = -Infinity
let offset = 0

/**
 * The offset of a clock, in milliseconds, at a time of `performance.now()`. The clock is not read for each
 * request.
 */
export function clockOffset(time: number): number {
  if (time - readAt > readEvery) {
    readAt = time
    offset = Date.now() - performance.now()
  }
  return offset
}
