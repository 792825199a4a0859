import { z } from 'zod'

import type { AskOptions, BroadcastResult, Command, CommandHandler } from './broadcast.ts'
import { sampleSchema, time, upTo } from './values.ts'

/** The counts of one interval. */
export type Sample = Readonly<z.infer<typeof sampleSchema>>

/** The length of a sample, in milliseconds. */
const sampleMs = 5_000

/** Samples of ten minutes. */
const mostSamples = 120

/** Counts the exchanges of this process. */
export class Pulse {
  /** The sample that is being counted. */
  #calls = 0
  #failures = 0
  #outputs = 0
  #outputMs = 0
  #at: number | undefined
  readonly #samples: Sample[] = []

  /** Counts an exchange that ended. */
  count(hasFailed: boolean, outputMs: number | undefined): void {
    this.#calls++
    if (hasFailed) this.#failures++
    if (outputMs === undefined) return
    this.#outputs++
    this.#outputMs += outputMs
  }

  /** Ends the sample if its time is over. Returns it then. */
  roll(now: number, inFlight: number): Sample | undefined {
    const at = now - (now % sampleMs)
    this.#at ??= at
    // A clock that was set back must not stop the samples.
    if (at === this.#at) return undefined
    const sample: Sample = {
      at: this.#at,
      calls: this.#calls,
      failures: this.#failures,
      outputs: this.#outputs,
      outputMs: Math.round(this.#outputMs),
      inFlight,
    }
    this.#samples.push(sample)
    if (this.#samples.length > mostSamples) this.#samples.shift()
    this.#at = at
    this.#calls = this.#failures = this.#outputs = this.#outputMs = 0
    return sample
  }

  /** The samples that are complete, the oldest first. */
  get samples(): readonly Sample[] {
    return this.#samples
  }
}

/** The samples so much later, in whole parts of time. */
function shiftSamples(samples: readonly Sample[], byMs: number): Sample[] {
  const by = Math.round(byMs / sampleMs) * sampleMs
  return samples.map((sample) => ({ ...sample, at: sample.at + by }))
}

/** Adds the samples of several processes, part of time by part of time. The oldest first. */
function mergeSamples(all: readonly (readonly Sample[])[], since: number): Sample[] {
  const merged = new Map<number, Sample>()
  for (const sample of all.flat()) {
    if (sample.at < since) continue
    const known = merged.get(sample.at)
    merged.set(sample.at, known ? add(known, sample) : sample)
  }
  return [...merged.values()].toSorted((one, other) => one.at - other.at)
}

function add(one: Sample, other: Sample): Sample {
  return {
    at: one.at,
    calls: one.calls + other.calls,
    failures: one.failures + other.failures,
    outputs: one.outputs + other.outputs,
    outputMs: one.outputMs + other.outputMs,
    inFlight: one.inFlight + other.inFlight,
  }
}

const pulseAnswer = z.object({ now: time, samples: upTo(200, sampleSchema) })

/** How long the processes may take, in milliseconds. */
const deadlineMs = 1_000

/** Lets other processes ask this one for its samples. */
export function answerForPulse(
  {
    handle,
    monitor,
  }: {
    handle(kind: string, handler: CommandHandler): void
    readonly monitor: { readonly pulse: Pulse }
  },
  now: () => number,
): void {
  handle('pulse', () => ({ now: now(), samples: monitor.pulse.samples }))
}

/**
 * The samples of all processes, part of time by part of time, and the processes that did not answer. `asker` is the
 * operator.
 */
export async function gatherPulse(
  processes: { ask(command: Command, options: AskOptions): Promise<BroadcastResult> },
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
