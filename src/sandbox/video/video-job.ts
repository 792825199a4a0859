import { Problem } from '../problem.ts'
import type { Directives } from '../steering/directives.ts'

/** A video in the making, whoever's. How it goes on is settled when it is ordered. */
export type VideoJob = {
  directives: Directives
  /** Milliseconds since the epoch. */
  createdAt: number
  /** Set when it is seen to be finished. */
  finishedAt: number | undefined
  /** Status requests that were answered. */
  polls: number
  /** Status requests, and requests for the content, that failed as ordered. */
  failedPolls: number
  failedDownloads: number
}

/** How far it is. */
export type VideoProgress = {
  status: 'queued' | 'in_progress' | 'completed' | 'failed'
  /** From 0 to 100. */
  percent: number
}

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

/** Takes a status request into account. Throws the failure that was ordered for it. */
export function pollVideoJob(job: VideoJob): VideoProgress {
  const { pollfail = 0, pollstatus = 500 } = job.directives
  if (job.failedPolls < pollfail) {
    job.failedPolls += 1
    throw new Problem(pollstatus, `sandbox: poll ${job.failedPolls} fails, as ordered`)
  }
  job.polls += 1
  return progressOf(job)
}

/** How far the video is, without a request that would bring it on. */
export function progressOf(job: VideoJob): VideoProgress {
  const done = shareDone(job)
  if (done >= 1) return finish(job)
  if (done === 0) return { status: 'queued', percent: 0 }
  return { status: 'in_progress', percent: Math.max(1, Math.floor(done * 100)) }
}

// By the clock if the work `takes` its time, else by the requests for its status.
function shareDone({ directives, createdAt, finishedAt, polls }: VideoJob): number {
  if (finishedAt !== undefined) return 1
  if (directives.takes === undefined) return polls / ((directives.polls ?? 1) + 1)
  const elapsed = Date.now() - createdAt
  return elapsed >= directives.takes ? 1 : elapsed / directives.takes
}

// It stays where it was when it failed.
const percentOfFailure = 50

function finish(job: VideoJob): VideoProgress {
  job.finishedAt ??= Date.now()
  const { fails } = job.directives
  return fails === undefined
    ? { status: 'completed', percent: 100 }
    : { status: 'failed', percent: percentOfFailure }
}

/** True for the first downloads of a finished video that was ordered not to be ready. */
export function consumeDownloadFailure(job: VideoJob): boolean {
  if (job.failedDownloads >= (job.directives.notready ?? 0)) return false
  job.failedDownloads += 1
  return true
}

/** When the content of a finished video goes, in milliseconds since the epoch. */
export function expiryOf(job: VideoJob, usualSeconds: number): number | undefined {
  const { expires = usualSeconds } = job.directives
  return job.finishedAt === undefined ? undefined : job.finishedAt + expires * 1000
}

/** Whether the content has been there and is gone. */
export function isExpired(job: VideoJob, usualSeconds: number): boolean {
  const expiry = expiryOf(job, usualSeconds)
  return expiry !== undefined && expiry <= Date.now()
}
