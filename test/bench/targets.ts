/** What the gateway promises of its speed, held against the rows. */

import type { Row } from './summary.ts'
import type { WorkloadName } from './workloads.ts'

export interface Target {
  claim: string
  /** Missing when this run lacks a subject or workload of the claim. */
  value?: number
  basis?: string
  met?: boolean
}

export function judgeTargets(rows: Row[]): Target[] {
  return [
    throughput(rows, 'json', 'toBare', 0.5),
    throughput(rows, 'coalesced', 'toBare', 0.5),
    throughput(rows, 'json', 'toPortkey', 6),
    addedLatency(rows, 'json', 2),
    addedLatency(rows, 'coalesced', 2),
  ]
}

const otherNames = { toBare: 'bare', toPortkey: 'Portkey' }

/** Where no round counted, processor time for one request says what a free core would show. */
function throughput(
  rows: Row[],
  workload: WorkloadName,
  other: 'toBare' | 'toPortkey',
  limit: number,
): Target {
  const claim = `${workload}: at least ${limit} x ${otherNames[other]}`
  const ratio = find(rows, workload, 'dragoman')?.[other]
  if (ratio === undefined) return { claim }
  const [value, basis] =
    ratio.counted > 0 ? [ratio.requests, 'requests/s'] : [ratio.cpu, 'CPU per request']
  return { claim, value, basis, met: value >= limit }
}

function addedLatency(rows: Row[], workload: WorkloadName, limit: number): Target {
  const claim = `${workload}: added p50 at most ${limit} x bare`
  const ours = find(rows, workload, 'dragoman')?.addedP50Micros
  const theirs = find(rows, workload, 'bare')?.addedP50Micros
  if (ours === undefined || theirs === undefined) return { claim }
  const value = ours / theirs
  return { claim, value, basis: 'p50 at one connection', met: value <= limit }
}

function find(rows: Row[], workload: WorkloadName, subject: Row['subject']): Row | undefined {
  return rows.find((row) => row.workload === workload && row.subject === subject)
}
