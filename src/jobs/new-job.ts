import type { Routed } from '../exchange.ts'
import type { CreatedVideo, VideoRequest } from '../media/video.ts'
import { sizeOf, usualSeconds, usualSize } from '../media/video-frame.ts'
import { newJobId } from './ids.ts'
import { type Job, jobSeconds } from './job.ts'
import { changesBy } from './look.ts'

/** A job is told without the rest. Characters. */
const longestPrompt = 32_000

/** What a new job is made of, besides what its account says. */
export interface JobOrder {
  readonly now: () => number
  readonly request: VideoRequest
  readonly source?: { readonly job: Job }
}

/** The job that an account has taken, as it is kept. */
export function jobOf(
  { caller, candidate, model }: Routed,
  { upstreamId, state }: CreatedVideo,
  { now, request, source }: JobOrder,
): Job {
  const time = now()
  const createdAt = Math.floor(time / 1_000)
  const job: Job = {
    id: newJobId(time),
    kind: 'video',
    keyId: caller.keyId,
    accountId: candidate.account.id,
    dialect: candidate.dialect.name,
    model: model.name,
    requested: model.requested,
    upstreamId,
    status: state.status,
    progress: 0,
    createdAt,
    expiresAt: createdAt + jobSeconds,
    prompt: request.prompt.slice(0, longestPrompt),
    seconds:
      request.seconds === undefined
        ? (source?.job.seconds ?? usualSeconds)
        : String(request.seconds),
    size: (request.frame && sizeOf(request.frame)) ?? source?.job.size ?? usualSize,
    ...(source && { remixedFrom: source.job.id }),
  }
  return { ...job, ...changesBy(job, state, createdAt) }
}
