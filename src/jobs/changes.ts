import type { VideoState, VideoStatus } from '../media/video.ts'
import { isOver, type Job, jobSeconds } from './job.ts'

/**
 * The job after what its account says of it, at this time in seconds since 1970; the same object
 * where that is no news. Looks may overtake each other, so that a job never runs backwards: what is
 * over stays as it is, and what was said of an earlier state is left out.
 */
export function changedBy(job: Job, state: VideoState, time: number): Job {
  if (isOver(job) || isOlder(state, job)) return job
  const { status, seconds, size, error, samples, withheld, extras } = state
  const isDone = isOver(state)
  const completedAt = state.completedAt ?? time
  const expiresAt = state.expiresAt ?? completedAt + jobSeconds
  const next: Job = {
    ...job,
    status,
    progress: progressOf(state, job.progress),
    ...(status === 'completed' && { completedAt }),
    ...(isDone && { expiresAt }),
    ...(seconds !== undefined && { seconds }),
    ...(size !== undefined && { size }),
    ...(error && { error }),
    ...(samples && { samples }),
    ...(withheld && { withheld }),
    ...(extras && { extras }),
  }
  return JSON.stringify(next) === JSON.stringify(job) ? job : next
}

const order: Readonly<Record<VideoStatus, number>> = {
  queued: 0,
  in_progress: 1,
  completed: 2,
  failed: 2,
}

function isOlder(state: VideoState, job: Job): boolean {
  if (order[state.status] !== order[job.status]) return order[state.status] < order[job.status]
  return state.progress !== undefined && percentOf(state.progress) < job.progress
}

function progressOf({ status, progress = 0 }: VideoState, before: number): number {
  return status === 'completed' ? 100 : Math.max(before, percentOf(progress))
}

/** It is whole at the end alone. */
function percentOf(progress: number): number {
  return Math.min(Math.max(Math.round(progress), 0), 99)
}
