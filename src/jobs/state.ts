import type { VideoState, VideoStatus } from '../media/video.ts'
import { type Job, expiryOf, isOver, jobSeconds } from './job.ts'

/**
 * The job with a newer state of its account; the same object if nothing changes. `time` is in seconds
 * since 1970. Refreshes may overtake each other, so a final status stays, and a state that is older than
 * the job's is ignored.
 */
export function applyState(job: Job, state: VideoState, time: number): Job {
  if (isOver(job) || isOlder(state, job)) return job
  const { status, seconds, size, error, samples, withheld, extras } = state
  const isDone = isOver(state)
  const completedAt = completionOf(job, state, time)
  const next: Job = {
    ...job,
    status,
    progress: progressOf(state, job.progress),
    ...(status === 'completed' && { completedAt }),
    ...(isDone && {
      expiresAt: expiryOf(job.createdAt, state.expiresAt, completedAt + jobSeconds),
    }),
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
  return state.progress !== undefined && partOf(state.progress) < job.progress
}

/** Between the order and now: the clock of an account may differ. */
function completionOf({ createdAt }: Job, state: VideoState, time: number): number {
  const { completedAt = time } = state
  return Math.max(createdAt, Math.min(completedAt, time))
}

function progressOf({ status, progress = 0 }: VideoState, before: number): number {
  return status === 'completed' ? 100 : Math.max(before, partOf(progress))
}

/** At most 99 before the job is completed. */
function partOf(progress: number): number {
  return Math.min(progress, 99)
}
