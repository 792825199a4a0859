/** What the workers' loops went through, for people, and whether it is good enough. */

import { align } from '../align.ts'
import type { LoadReport } from '../load.ts'
import type { LoopReport } from './workers-gauge.ts'

/** No loop stands still for longer, but for one time in a thousand; milliseconds. */
const longestStall = 50

/** Fewer say nothing about one in a thousand. */
const fewestSamples = 1_000

/** With less of its cores in use, the machine is not saturated. */
const saturated = 0.9

/** Of a core. With more, the delays are those of a machine that has other things to do. */
const mostByOthers = 0.1

export interface Outcome {
  readonly load: LoadReport
  readonly workers: readonly LoopReport[]
  readonly idle: LoopReport
  readonly cores: number
}

/** The table and what is to be said of it, line by line. */
export function describeOutcome(outcome: Outcome): string[] {
  const { load, workers, idle, cores } = outcome
  const { requests, wallMicros, failures, p50Micros, p99Micros } = load
  return [
    align([columns, ...[...workers, idle].map(cells)]),
    'delay of the event loop, in ms; 1 ms, the resolution of the timer, is taken off',
    `${((requests / wallMicros) * 1e6).toFixed(0)} req/s, ${failures.length} failures; ` +
      `p50 ${(p50Micros / 1000).toFixed(1)} ms, p99 ${(p99Micros / 1000).toFixed(1)} ms`,
    `${coresInUse(load).toFixed(2)} of ${cores} cores in use, ${byOthers(outcome).toFixed(2)} by others`,
  ]
}

/** Why the figures mean nothing, or nothing where they do. */
export function whyUseless(outcome: Outcome): string | undefined {
  const { load, workers, cores } = outcome
  if (load.failures.length > 0) return `requests failed: ${load.failures[0]}`
  const silent = workers.find(({ samples }) => samples < fewestSamples)
  if (silent) return `${silent.name} gave ${silent.samples} samples only`
  if (coresInUse(load) < saturated * cores) return 'the machine was not saturated'
  // What is kept beside others is kept; what is not may be their doing.
  if (byOthers(outcome) > mostByOthers && worstOf(outcome) > longestStall) {
    return `others took ${byOthers(outcome).toFixed(2)} of a core (p99.9 ${worstOf(outcome).toFixed(1)} ms)`
  }
  return undefined
}

/** Whether every worker keeps the limit, and the line that says so. */
export function verdictOn(outcome: Outcome): { met: boolean; line: string } {
  const worst = worstOf(outcome)
  const met = worst <= longestStall
  const claim = `p99.9 at most ${longestStall} ms`
  return { met, line: `${met ? 'met' : 'MISSED'}: ${claim} (${worst.toFixed(1)} ms)` }
}

function worstOf({ workers }: Outcome): number {
  return Math.max(...workers.map(({ p999 }) => p999))
}

/** Cores that processes took which are no part of the bench. */
function byOthers({ load, workers }: Outcome): number {
  const byWorkers = workers.reduce((sum, { cpuShare }) => sum + cpuShare, 0)
  return Math.max(0, load.strangersMicros / load.wallMicros - byWorkers)
}

/** By everybody, those included that are no part of the bench. */
function coresInUse(load: LoadReport): number {
  return (load.subjectMicros + load.loadMicros + load.strangersMicros) / load.wallMicros
}

const columns = [
  '',
  'p50',
  'p99',
  'p99.9',
  'max',
  'samples',
  'req/s',
  'of a core',
  'waiting for one',
]

function cells(report: LoopReport): string[] {
  const { name, p50, p99, p999, longest, samples, requestsPerSecond } = report
  return [
    name,
    ...[p50, p99, p999, longest].map((millis) => millis.toFixed(1)),
    String(samples),
    requestsPerSecond.toFixed(0),
    percent(report.cpuShare),
    percent(report.coreless),
  ]
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)}%`
}
