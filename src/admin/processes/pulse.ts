import { z } from 'zod'

import {
  type FailureName,
  addSums,
  bucketOf,
  failureOf,
  histogramBounds,
} from '../../stores/ledger-sums.ts'
import type { AskOptions, BroadcastResult, Command, CommandHandler } from './broadcast.ts'
import type { EndedExchange } from './exchanges.ts'
import { sampleSchema, time, upTo } from './values.ts'

/** The counts of one interval, in one process. */
type Sample = Readonly<z.infer<typeof sampleSchema>>

/** The counts of one interval, in several processes. */
export interface MergedSample extends Sample {
  /** The number of processes that it counts. */
  readonly processes: number
}

/** The length of a sample, in milliseconds. */
export const sampleMs = 5_000

/** Samples of ten minutes. */
const mostSamples = 120

/** What an ended exchange adds to the pulse. */
type Counted = Pick<
  EndedExchange,
  'status' | 'end' | 'durationMs' | 'firstOutputMs' | 'inputTokens' | 'outputTokens' | 'costNano'
>

/** Counts the exchanges of this process. */
export class Pulse {
  /** The sample that is being counted. */
  #at: number | undefined
  #calls = 0
  #inputTokens = 0
  #outputTokens = 0
  #costNano = 0
  #unpriced = 0
  readonly #failures: Record<FailureName, number> = {
    clientError: 0,
    rateLimited: 0,
    serverError: 0,
    broken: 0,
    clientGone: 0,
  }
  /** How many took how long: to the first output, and to the end. */
  readonly #first = new Uint32Array(histogramBounds.length + 1)
  readonly #duration = new Uint32Array(histogramBounds.length + 1)
  readonly #samples: Sample[] = []

  /** Counts an exchange that ended. */
  count(ended: Counted): void {
    this.#calls++
    const failure = failureOf(ended)
    if (failure) this.#failures[failure]++
    this.#inputTokens += ended.inputTokens ?? 0
    this.#outputTokens += ended.outputTokens ?? 0
    if (ended.costNano === undefined) this.#unpriced++
    else this.#costNano += ended.costNano
    this.#duration[bucketOf(ended.durationMs)]!++
    if (ended.firstOutputMs !== undefined) this.#first[bucketOf(ended.firstOutputMs)]!++
  }

  /** Ends the sample if its time is over. Returns it then. */
  roll(now: number, inFlight: number): Sample | undefined {
    const at = now - (now % sampleMs)
    this.#at ??= at
    // A clock that was set back must not stop the samples.
    if (at === this.#at) return undefined
    const sample: Sample = { at: this.#at, inFlight, sums: this.#take() }
    this.#samples.push(sample)
    if (this.#samples.length > mostSamples) this.#samples.shift()
    this.#at = at
    return sample
  }

  /** The sums so far, without those that are 0. Counts anew. */
  #take(): Sample['sums'] {
    const sums: Record<string, number> = {
      calls: this.#calls,
      ...this.#failures,
      inputTokens: this.#inputTokens,
      outputTokens: this.#outputTokens,
      costNano: Math.round(this.#costNano),
      unpriced: this.#unpriced,
    }
    for (const [index, count] of this.#first.entries()) sums[`first${index}`] = count
    for (const [index, count] of this.#duration.entries()) sums[`duration${index}`] = count
    for (const name in sums) if (sums[name] === 0) delete sums[name]
    this.#calls = this.#inputTokens = this.#outputTokens = this.#costNano = this.#unpriced = 0
    for (const name in this.#failures) this.#failures[name as FailureName] = 0
    this.#first.fill(0)
    this.#duration.fill(0)
    return sums
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

/**
 * Adds the samples of several processes, part of time by part of time. The oldest first. A part that one of them has
 * not ended yet is left out: it would grow.
 */
function mergeSamples(
  all: readonly (readonly Sample[])[],
  since: number,
  now: number,
): MergedSample[] {
  // A process that has ended none for long holds up no others.
  const lasts = all.flatMap((samples) => samples.at(-1)?.at ?? [])
  const until = Math.min(...lasts.filter((at) => at > now - 4 * sampleMs))
  const merged = new Map<number, MergedSample>()
  for (const sample of all.flat()) {
    if (sample.at < since || sample.at > until) continue
    const known = merged.get(sample.at)
    merged.set(sample.at, added({ ...sample, processes: 1 }, known))
  }
  return [...merged.values()].toSorted((one, other) => one.at - other.at)
}

function added(one: MergedSample, other: MergedSample | undefined): MergedSample {
  if (!other) return one
  const sums = { ...other.sums }
  addSums(sums, one.sums)
  return {
    at: one.at,
    inFlight: one.inFlight + other.inFlight,
    processes: one.processes + other.processes,
    sums,
  }
}

/** Joins samples to longer ones, of which the last one ends where the samples end. */
export function joinSamples(samples: readonly MergedSample[], stepMs: number): MergedSample[] {
  const end = (samples.at(-1)?.at ?? 0) + sampleMs
  const joined = new Map<number, MergedSample>()
  for (const sample of samples) {
    const at = end - Math.ceil((end - sample.at) / stepMs) * stepMs
    const known = joined.get(at)
    const { sums } = added(sample, known)
    const processes = Math.min(sample.processes, known?.processes ?? Infinity)
    joined.set(at, { at, inFlight: sample.inFlight, processes, sums })
  }
  return [...joined.values()]
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
  handle('pulse', ({ lastMs }) => {
    const since = typeof lastMs === 'number' ? now() - lastMs : 0
    return { now: now(), samples: monitor.pulse.samples.filter(({ at }) => at >= since) }
  })
}

/** Processes that can be asked. */
interface Asked {
  ask(command: Command, options: AskOptions): Promise<BroadcastResult>
}

/**
 * The samples of all processes, part of time by part of time, and the processes that did not answer. `asker` is the
 * operator.
 */
export async function gatherPulse(
  processes: Asked,
  { asker, now, since }: { readonly asker: string; readonly now: number; readonly since: number },
): Promise<{ readonly samples: readonly MergedSample[]; readonly unanswered: readonly string[] }> {
  // The clocks of processes differ by less than a sample, as a rule.
  const input = { lastMs: now - since + 2 * sampleMs }
  const { outcomes, unanswered } = await processes.ask(
    { kind: 'pulse', input },
    { asker, deadlineMs },
  )
  const all = outcomes.map(({ result }) => {
    const { data } = pulseAnswer.safeParse(result)
    // A process whose clock differs is shown at the times of this one.
    return data ? shiftSamples(data.samples, now - data.now) : []
  })
  return { samples: mergeSamples(all, since, now), unanswered }
}
