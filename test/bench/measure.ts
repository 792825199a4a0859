/** The rounds: subjects take turns, so that a noisy minute falls on all of them alike. */

import type { Flags } from './flags.ts'
import { sampleOf, type Sample, type Verdict } from './sample.ts'
import { drive, type Drive, type Stage, type Target } from './stage.ts'
import type { WorkloadName } from './workloads.ts'

/** What was seen of one target under one workload; the same index is the same round for all. */
export interface Measurements {
  target: Target
  workload: WorkloadName
  /** Empty for `direct`, which is measured for its latency alone. */
  samples: Sample[]
  p50Micros: number[]
  p99Micros: number[]
}

const connections = 32
/** Long enough for the compiler to settle on the slowest subject. */
const firstWarmupMillis = 3000
const warmupMillis = 250
/** No round of a series is begun later than this, whatever was asked for. */
const budgetMillis = 200_000
const extraRounds = 2

export async function measure(
  stage: Stage,
  subjects: Target[],
  flags: Flags,
): Promise<Measurements[]> {
  const deadline = Date.now() + budgetMillis
  const groups = flags.workloads.map((workload) =>
    [stage.direct, ...subjects].map((target) => emptyMeasurements(target, workload)),
  )
  for (const measurements of groups.flat()) await warmUp(stage, measurements)
  for (let round = 1; round <= flags.rounds + extraRounds; round++) {
    for (const group of groups) {
      const wanted = round <= flags.rounds || group.some(disturbed)
      if (wanted && Date.now() < deadline) await playRound(stage, group, flags, round)
    }
  }
  return groups.flat()
}

function emptyMeasurements(target: Target, workload: WorkloadName): Measurements {
  return { target, workload, samples: [], p50Micros: [], p99Micros: [] }
}

async function warmUp(stage: Stage, { target, workload }: Measurements): Promise<void> {
  process.stderr.write(`warming up: ${workload}, ${target.name}\n`)
  await drive(stage, target, workload, {
    connections,
    warmupMillis: 0,
    windowMillis: target.name === 'direct' ? firstWarmupMillis / 3 : firstWarmupMillis,
  })
}

async function playRound(
  stage: Stage,
  group: Measurements[],
  { seconds }: Flags,
  round: number,
): Promise<void> {
  const throughput = { connections, warmupMillis, windowMillis: seconds * 1000 }
  const latency = { connections: 1, warmupMillis: 100, windowMillis: Math.max(600, seconds * 600) }
  for (const measurements of group) {
    process.stderr.write(`round ${round}: ${measurements.workload}, ${measurements.target.name}\n`)
    await takeSample(stage, measurements, throughput)
    await takeLatency(stage, measurements, latency)
  }
}

async function takeSample(stage: Stage, measurements: Measurements, how: Drive): Promise<void> {
  const { target, workload, samples } = measurements
  if (target.name === 'direct') return
  samples.push(sampleOf(await drive(stage, target, workload, how)))
}

async function takeLatency(stage: Stage, measurements: Measurements, how: Drive): Promise<void> {
  const { target, workload, p50Micros, p99Micros } = measurements
  const report = await drive(stage, target, workload, how)
  p50Micros.push(report.p50Micros)
  p99Micros.push(report.p99Micros)
}

/** Neighbours on the machine kept every round from counting: worth another one. */
function disturbed({ samples }: Measurements): boolean {
  const verdicts = new Set(samples.map(({ verdict }) => verdict))
  const settled: Verdict[] = ['counted', 'load-bound', 'failed']
  return samples.length > 0 && !settled.some((verdict) => verdicts.has(verdict))
}

/** Joins the series of several processes: the same index stays the same round for all. */
export function joinSeries(series: Measurements[][]): Measurements[] {
  const [first = [], ...others] = series
  return first.map((measurements) => {
    const same = [measurements, ...others.flat().filter((one) => isOf(one, measurements))]
    return {
      ...measurements,
      samples: same.flatMap(({ samples }) => samples),
      p50Micros: same.flatMap(({ p50Micros }) => p50Micros),
      p99Micros: same.flatMap(({ p99Micros }) => p99Micros),
    }
  })
}

function isOf(one: Measurements, { target, workload }: Measurements): boolean {
  return one.target.name === target.name && one.workload === workload
}
