import { Problem } from '../problem.ts'
import type { Directives } from '../steering/directives.ts'

/** A video job of any provider. The directives of the request that creates it decide its course. */
export type VideoJob = {
  directives: Directives
  /** Milliseconds since the epoch. */
  createdAt: number
  /** Milliseconds since the epoch, when the job was first observed to be finished. */
  finishedAt: number | undefined
  /** Status requests that succeeded. */
  polls: number
  /** Status requests that failed because of `pollfail`. */
  failedPolls: number
  /** Requests for the content that failed because of `notready`. */
  failedDownloads: number
}

/** The progress of a video job. */
type VideoProgress = {
  status: 'queued' | 'in_progress' | 'completed' | 'failed'
  /** From 0 to 100. */
  percent: number
}

/** A job that begins now. */
export function createVideoJob(directives: Directives): VideoJob {
  return {
    directives,
    createdAt: Date.now(),
    finishedAt: undefined,
    polls: 0,
    failedPolls: 0,
    failedDownloads: 0,
  }
}

/** Counts a status request and returns the progress. Throws a failure that `pollfail` demands. */
export function pollVideoJob(job: VideoJob): VideoProgress {
  const { pollfail = 0, pollstatus = 500 } = job.directives
  if (job.failedPolls < pollfail) {
    job.failedPolls += 1
    throw new Problem(pollstatus, `sandbox: poll ${job.failedPolls} fails, as directed`)
  }
  job.polls += 1
  return progressOf(job)
}

/** The progress of a job, without counting a status request. */
export function progressOf(job: VideoJob): VideoProgress {
  const done = shareDone(job)
  if (done >= 1) return finish(job)
  if (done === 0) return { status: 'queued', percent: 0 }
  return { status: 'in_progress', percent: Math.max(1, Math.floor(done * 100)) }
}

// From 0 to 1: by the clock with the directive `takes`, else by the number of status requests.
function shareDone({ directives, createdAt, finishedAt, polls }: VideoJob): number {
  if (finishedAt !== undefined) return 1
  if (directives.takes === undefined) return polls / ((directives.polls ?? 1) + 1)
  const elapsed = Date.now() - createdAt
  return elapsed >= directives.takes ? 1 : elapsed / directives.takes
}

// The progress that a failed job reports.
const percentOfFailure = 50

function finish(job: VideoJob): VideoProgress {
  job.finishedAt ??= Date.now()
  const { fails } = job.directives
  return fails === undefined
    ? { status: 'completed', percent: 100 }
    : { status: 'failed', percent: percentOfFailure }
}

/** Whether a download fails because of `notready`. Each call counts as one download. */
export function consumeDownloadFailure(job: VideoJob): boolean {
  if (job.failedDownloads >= (job.directives.notready ?? 0)) return false
  job.failedDownloads += 1
  return true
}

/**
 * The time at which the content of a finished video expires, in milliseconds since the epoch.
 * Undefined before the job is finished. `lifetimeSeconds` applies without the directive `expires`.
 */
export function expiryOf(job: VideoJob, lifetimeSeconds: number): number | undefined {
  const { expires = lifetimeSeconds } = job.directives
  return job.finishedAt === undefined ? undefined : job.finishedAt + expires * 1000
}

/** Whether the content existed and is expired. */
export function isExpired(job: VideoJob, lifetimeSeconds: number): boolean {
  const expiry = expiryOf(job, lifetimeSeconds)
  return expiry !== undefined && expiry <= Date.now()
}
