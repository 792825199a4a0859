/** One round of one subject: how fast it was, and whether that figure may be believed. */

import type { LoadReport } from './load.ts'

/**
 * `counted` is the only figure of what the subject can do. `load-bound`: the driving side ran out
 * of its core first. `machine busy`: others took part of a core. `failed`: replies went wrong.
 */
export type Verdict = 'counted' | 'load-bound' | 'machine busy' | 'not saturated' | 'failed'

export interface Sample {
  verdict: Verdict
  requestsPerSecond: number
  /** The subject's processor time, all its threads, for one request. */
  cpuMicros: number
  /** How much of a core each side used, 1 being all of it. */
  subjectShare: number
  loadShare: number
  failures: string[]
}

const saturated = 0.95
const loadLimit = 0.9
const strangersLimit = 0.04

export function sampleOf(report: LoadReport): Sample {
  return {
    verdict: verdictOn(report),
    requestsPerSecond: (report.requests / report.wallMicros) * 1e6,
    cpuMicros: report.subjectMicros / report.requests,
    subjectShare: report.subjectMicros / report.wallMicros,
    loadShare: report.loadMicros / report.wallMicros,
    failures: report.failures,
  }
}

function verdictOn(report: LoadReport): Verdict {
  if (report.failures.length > 0 || report.requests === 0) return 'failed'
  if (report.loadMicros / report.wallMicros >= loadLimit) return 'load-bound'
  if (report.subjectMicros / report.wallMicros >= saturated) return 'counted'
  return report.strangersMicros / report.wallMicros > strangersLimit
    ? 'machine busy'
    : 'not saturated'
}
