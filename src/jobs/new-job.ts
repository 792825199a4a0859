import type { Routed } from '../contract/exchange.ts'
import type { CreatedVideo, VideoRequest } from '../media/video.ts'
import { pixelsOf } from '../media/video-frame.ts'
import { applyState, sanitizeState } from './state.ts'
import { newJobId } from './ids.ts'
import { type Job, jobSeconds } from './job.ts'

/** A job is told without the rest. Characters. */
const longestPrompt = 32_000

/** What a new job is made of, besides what its account says. */
export interface JobOrder {
  readonly now: () => number
  readonly request: VideoRequest
  readonly source?: { readonly job: Job }
  /** What the client takes for granted where it says nothing. Absent: nobody knows. */
  readonly usual?: Pick<Job, 'seconds' | 'size'>
}

/** The job that an account has taken, as it is kept. */
export function jobOf(
  { caller, candidate, model }: Routed,
  { upstreamId, state }: CreatedVideo,
  { now, request, source, usual }: JobOrder,
): Job {
  const time = now()
  const createdAt = Math.floor(time / 1_000)
  const { seconds, frame, prompt } = request
  const silent = source?.job ?? usual ?? unknown
  const job: Job = {
    id: newJobId(time),
    kind: 'video',
    keyId: caller.keyId,
    accountId: candidate.account.id,
    dialect: candidate.dialect.id,
    model: model.name,
    requested: model.requested,
    upstreamId,
    status: 'queued',
    progress: 0,
    createdAt,
    expiresAt: createdAt + jobSeconds,
    prompt: prompt.slice(0, longestPrompt),
    seconds: seconds === undefined ? silent.seconds : String(seconds),
    size: frame ? (pixelsOf(frame) ?? unknown.size) : silent.size,
    ...(source && { remixedFrom: source.job.id }),
  }
  return applyState(job, sanitizeState(state, candidate.account), createdAt)
}

/** Accounts settle what their clients leave open, and not all of them tell how. */
const unknown = { seconds: '', size: '' }
