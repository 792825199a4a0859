import { Problem } from '../problem.ts'
import type { Directives } from '../steering/directives.ts'

/** A video in the making, whoever's. How it goes on is settled when it is ordered. */
export type VideoWork = {
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

export function beginVideo(directives: Directives): VideoWork {
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
export function pollVideo(work: VideoWork): VideoProgress {
  const { pollfail = 0, pollstatus = 500 } = work.directives
  if (work.failedPolls < pollfail) {
    work.failedPolls += 1
    throw new Problem(pollstatus, `sandbox: poll ${work.failedPolls} fails, as ordered`)
  }
  work.polls += 1
  return progressOf(work)
}

/** How far the video is, without a request that would bring it on. */
export function progressOf(work: VideoWork): VideoProgress {
  const done = shareDone(work)
  if (done >= 1) return finish(work)
  if (done === 0) return { status: 'queued', percent: 0 }
  return { status: 'in_progress', percent: Math.max(1, Math.floor(done * 100)) }
}

// By the clock if the work `takes` its time, else by the requests for its status.
function shareDone({ directives, createdAt, finishedAt, polls }: VideoWork): number {
  if (finishedAt !== undefined) return 1
  if (directives.takes === undefined) return polls / ((directives.polls ?? 1) + 1)
  const elapsed = Date.now() - createdAt
  return elapsed >= directives.takes ? 1 : elapsed / directives.takes
}

// It stays where it was when it failed.
const percentOfFailure = 50

function finish(work: VideoWork): VideoProgress {
  work.finishedAt ??= Date.now()
  const { fails } = work.directives
  return fails === undefined
    ? { status: 'completed', percent: 100 }
    : { status: 'failed', percent: percentOfFailure }
}

/** True for the first downloads of a finished video that was ordered not to be ready. */
export function failsDownload(work: VideoWork): boolean {
  if (work.failedDownloads >= (work.directives.notready ?? 0)) return false
  work.failedDownloads += 1
  return true
}

/** When the content of a finished video goes, in milliseconds since the epoch. */
export function expiryOf(work: VideoWork, usualSeconds: number): number | undefined {
  const { expires = usualSeconds } = work.directives
  return work.finishedAt === undefined ? undefined : work.finishedAt + expires * 1000
}

/** Whether the content has been there and is gone. */
export function isExpired(work: VideoWork, usualSeconds: number): boolean {
  const expiry = expiryOf(work, usualSeconds)
  return expiry !== undefined && expiry <= Date.now()
}
