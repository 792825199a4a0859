/** From rounds to one row for each subject and workload: medians, differences, ratios. */

import { median } from './median.ts'
import type { Measurements } from './measure.ts'
import { ratioOf, type Ratio } from './ratio.ts'
import type { Sample, Verdict } from './sample.ts'
import type { SubjectName } from './subjects/subject.ts'
import type { WorkloadName } from './workloads.ts'

export interface Row {
  workload: WorkloadName
  subject: SubjectName | 'direct'
  /** Missing for `direct`, which is measured for its latency alone. */
  throughput?: Throughput
  toBare?: Ratio
  toPortkey?: Ratio
  toFormer?: Ratio
  p50Micros: number
  p99Micros: number
  /** Latency at one connection minus that of the upstream alone in the same round. */
  addedP50Micros: number
  addedP99Micros: number
}

export interface Throughput {
  verdict: Verdict
  counted: number
  rounds: number
  requestsPerSecond: number
  cpuMicros: number
  subjectShare: number
  loadShare: number
  failures: string[]
}

export function summarise(all: Measurements[]): Row[] {
  return all.map((measurements) => {
    const samplesOf = (name: Row['subject']) =>
      find(all, measurements.workload, name)?.samples ?? []
    const toBare = ratioOf(measurements.samples, samplesOf('bare'))
    const toFormer = ratioOf(measurements.samples, samplesOf('former'))
    const toPortkey = ratioOf(measurements.samples, samplesOf('portkey'))
    return {
      workload: measurements.workload,
      subject: measurements.target.name,
      ...(measurements.samples.length > 0 && { throughput: throughputOf(measurements.samples) }),
      ...(toBare && { toBare }),
      ...(toPortkey && { toPortkey }),
      ...(toFormer && { toFormer }),
      ...latencyOf(measurements, find(all, measurements.workload, 'direct')!),
    }
  })
}

function find(all: Measurements[], workload: WorkloadName, name: Row['subject']) {
  return all.find((one) => one.workload === workload && one.target.name === name)
}

/** The rounds that count, or, where none does, all of them under their commonest verdict. */
function throughputOf(samples: Sample[]): Throughput {
  const counted = samples.filter(({ verdict }) => verdict === 'counted')
  const used = counted.length > 0 ? counted : samples
  const middle = (field: 'requestsPerSecond' | 'cpuMicros' | 'subjectShare' | 'loadShare') =>
    median(used.map((sample) => sample[field]))
  return {
    verdict: commonest(used.map(({ verdict }) => verdict)),
    counted: counted.length,
    rounds: samples.length,
    requestsPerSecond: middle('requestsPerSecond'),
    cpuMicros: middle('cpuMicros'),
    subjectShare: middle('subjectShare'),
    loadShare: middle('loadShare'),
    failures: [...new Set(samples.flatMap(({ failures }) => failures))],
  }
}

function commonest(verdicts: Verdict[]): Verdict {
  const times = (verdict: Verdict) => verdicts.filter((other) => other === verdict).length
  return verdicts.toSorted((a, b) => times(b) - times(a))[0]!
}

function latencyOf({ p50Micros, p99Micros }: Measurements, direct: Measurements) {
  return {
    p50Micros: median(p50Micros),
    p99Micros: median(p99Micros),
    addedP50Micros: median(p50Micros.map((micros, round) => micros - direct.p50Micros[round]!)),
    addedP99Micros: median(p99Micros.map((micros, round) => micros - direct.p99Micros[round]!)),
  }
}
