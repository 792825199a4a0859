import { z } from 'zod'

import type { Processes } from './index.ts'
import { type Sample, mergeSamples, shiftSamples } from './pulse.ts'
import { sampleSchema, time, upTo } from './values.ts'

const pulseAnswer = z.object({ now: time, samples: upTo(200, sampleSchema) })

/** How long the processes may take, in milliseconds. */
const deadlineMs = 1_000

/** Lets other processes ask this one for its samples. */
export function answerForPulse({ handle, monitor }: Processes, now: () => number): void {
  handle('pulse', () => ({ now: now(), samples: monitor.pulse.samples }))
}

/**
 * The samples of all processes, part of time by part of time, and the processes that did not answer. `asker` is the
 * operator.
 */
export async function gatherPulse(
  processes: Pick<Processes, 'ask'>,
  { asker, now, since }: { readonly asker: string; readonly now: number; readonly since: number },
): Promise<{ readonly samples: readonly Sample[]; readonly unanswered: readonly string[] }> {
  const { outcomes, unanswered } = await processes.ask({ kind: 'pulse' }, { asker, deadlineMs })
  const all = outcomes.map(({ result }) => {
    const { data } = pulseAnswer.safeParse(result)
    // A process whose clock differs is shown at the times of this one.
    return data ? shiftSamples(data.samples, now - data.now) : []
  })
  return { samples: mergeSamples(all, since), unanswered }
}
