import { type Finding, fail, ok, warn } from './finding.ts'

/** The time that another clock showed when this one showed `at`; both in milliseconds since 1970. */
export interface ClockReading {
  /** `the store`, `account openai-1`. */
  readonly of: string
  readonly time: number
  readonly at: number
  /** The greatest error of the reading, in milliseconds. */
  readonly errorMs: number
}

/** Differences that matter to expiry times of several replicas, and to signatures and certificates. */
const warnMs = 5_000
const failMs = 60_000

/**
 * Compares the clock of this machine with the clocks of the store and the accounts. `isAlone`: no store and no
 * account has a clock that could have been read.
 */
export function checkClock(readings: readonly ClockReading[], isAlone: boolean): Finding {
  const name = 'clock'
  const fix = 'synchronize the clock of this machine (timedatectl, chrony), and the other clocks'
  // One wrong clock among many others is not this machine's: the nearest decides, and the store's always.
  const [nearest] = readings.toSorted((a, b) => differenceOf(a) - differenceOf(b))
  const decisive = readings.find(({ of }) => of === 'the store') ?? nearest
  if (!decisive && isAlone) {
    return ok(name, 'The store is on this machine, and no account has a clock to compare with.')
  }
  if (!decisive) return warn(name, 'No other clock could be read, to compare this one with.', fix)
  const difference = differenceOf(decisive)
  const seconds = (difference / 1_000).toFixed(1)
  if (difference < warnMs)
    return ok(name, `It agrees with the clock of ${decisive.of} (${seconds} s).`)
  const side = decisive.time < decisive.at ? 'ahead of' : 'behind'
  const message = `It is ${seconds} s ${side} the clock of ${decisive.of}: keys, tokens and signed URLs end at the wrong time.`
  return difference < failMs ? warn(name, message, fix) : fail(name, message, fix)
}

/** The least difference of the clocks that the reading proves, in milliseconds. */
function differenceOf({ time, at, errorMs }: ClockReading): number {
  return Math.max(0, Math.abs(time - at) - errorMs)
}
