import { type Step, type SumsPart, steps } from '../stores/ledger.ts'

/** A part of time, in milliseconds since 1970: from the first moment to the one behind the last. */
export interface TimeRange {
  readonly from: number
  readonly to: number
}

/** The size of the buckets of a step, in milliseconds. */
export function sizeOf(step: Step): number {
  return steps.find(({ name }) => name === step)!.ms
}

/**
 * The buckets that cover a part of time, as few as there are: days in the middle, hours at its ends, and so on down to
 * the finest step that is stored as far back as `from`. The ends of the parts are ends of buckets. `most`: the largest step.
 */
export function partsOf(range: TimeRange, now: number, most: Step = 'day'): Omit<SumsPart, 'of'>[] {
  const largest = indexOf(most)
  const finest = Math.min(largest, finestOf(range.from, now))
  const { ms } = steps[finest]!
  return cover(Math.floor(range.from / ms) * ms, Math.ceil(range.to / ms) * ms, largest, finest)
}

/** The index of the finest step whose buckets of a time are stored. */
export function finestOf(at: number, now: number): number {
  const found = steps.findIndex(({ ms, keptMs }) => at >= now - keptMs + ms)
  return found < 0 ? steps.length - 1 : found
}

/** The index of a step: finer ones come first. */
function indexOf(step: Step): number {
  return steps.findIndex(({ name }) => name === step)
}

function cover(from: number, to: number, index: number, finest: number): Omit<SumsPart, 'of'>[] {
  if (from >= to) return []
  const { name, ms } = steps[index]!
  if (index === finest) return [{ step: name, from, to }]
  const first = Math.ceil(from / ms) * ms
  const last = Math.floor(to / ms) * ms
  if (first >= last) return cover(from, to, index - 1, finest)
  return [
    ...cover(from, first, index - 1, finest),
    { step: name, from: first, to: last },
    ...cover(last, to, index - 1, finest),
  ]
}
