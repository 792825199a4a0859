/** How one subject compares with another, round by round: what disturbs a round disturbs both. */

import { median } from './median.ts'
import type { Sample } from './sample.ts'

export interface Ratio {
  /** Requests per second over those of the other. */
  requests: number
  /** The other's processor time for one request over ours: what a free core would show. */
  cpu: number
  /** Rounds in which both counted; with none the ratio of requests is only a hint. */
  counted: number
}

/** Nothing when no round went well for both. */
export function ratioOf(ours: Sample[], theirs: Sample[]): Ratio | undefined {
  const pairs = ours.flatMap((our, round) => {
    const their = theirs[round]
    return their === undefined ? [] : [{ our, their }]
  })
  const sound = pairs.filter((pair) => both(pair, (sample) => sample.verdict !== 'failed'))
  if (sound.length === 0) return undefined
  const counted = pairs.filter((pair) => both(pair, (sample) => sample.verdict === 'counted'))
  const used = counted.length > 0 ? counted : sound
  return {
    requests: median(used.map(({ our, their }) => our.requestsPerSecond / their.requestsPerSecond)),
    cpu: median(sound.map(({ our, their }) => their.cpuMicros / our.cpuMicros)),
    counted: counted.length,
  }
}

function both(pair: { our: Sample; their: Sample }, test: (sample: Sample) => boolean): boolean {
  return test(pair.our) && test(pair.their)
}
