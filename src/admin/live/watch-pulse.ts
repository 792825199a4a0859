import { type MergedSample, gatherPulse, sampleMs } from '../processes/pulse.ts'
import type { Hub } from './hub.ts'

/** Sends the pulse of all processes to the subscribers of this process. */
interface PulseWatch {
  /** Sends the samples that have become complete. To be called each second. Does nothing while no subscriber wants them. */
  look(): void
}

/**
 * Asks all processes for their samples, by the same question as `pulse`, so that both show the same. Each process does so
 * for its own subscribers.
 */
export function watchPulse(
  hub: Pick<Hub, 'emitHere' | 'isFollowedHere'>,
  processId: string,
  processes: Parameters<typeof gatherPulse>[0],
  now: () => number,
): PulseWatch {
  /** The beginning of the sample that was sent last. */
  let last: number | undefined
  let isLooking = false

  async function gather(since: number): Promise<readonly MergedSample[]> {
    const found = await gatherPulse(processes, { asker: 'live', now: now(), since })
    return found.samples
  }

  async function lookNow(): Promise<void> {
    const begin = last === undefined ? now() - 3 * sampleMs : last + 1
    const samples = await gather(begin)
    // The first look shows where to begin.
    const isFirst = last === undefined
    last = samples.at(-1)?.at ?? last
    for (const sample of isFirst ? samples.slice(-1) : samples)
      hub.emitHere({ type: 'PulseSample', processId, sample })
  }

  return {
    look() {
      if (!hub.isFollowedHere('PULSE')) last = undefined
      else if (!isLooking && (last === undefined || now() >= last + 2 * sampleMs)) {
        isLooking = true
        void lookNow().finally(() => (isLooking = false))
      }
    },
  }
}
