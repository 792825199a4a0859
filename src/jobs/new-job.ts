import type { Routed } from '../contract/exchange.ts'
import type { CreatedVideo, VideoRequest } from '../media/video.ts'
import { pixelsOf } from '../media/video-frame.ts'
import { cleanText } from '../kit/secrets/exchange-texts.ts'
import { sanitizeState } from './sanitize-state.ts'
import { applyState } from './state.ts'
import { newJobId } from './ids.ts'
import { type Job, jobSeconds } from './job.ts'

/** In characters. A record contains no more of a prompt. */
const longestPrompt = 32_000

/** In characters. Names of models that clients choose may be longer. */
const longestName = 1_024

/** The data of a new job besides the account's reply. */
export interface JobOrder {
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly request: VideoRequest
  /** The job that this one remixes or extends. */
  readonly source?: { readonly job: Job }
  /** The defaults of the client's dialect. Absent: unknown. */
  readonly usual?: Pick<Job, 'seconds' | 'size'>
}

/** The record of a job that an account has accepted. */
export function newJob(
  exchange: Routed,
  { upstreamId, state }: CreatedVideo,
  { now, request, source, usual }: JobOrder,
): Job {
  const { caller, candidate, model, progress } = exchange
  const { trace } = progress
  const clean = (name: string) => cleanText(name, exchange, longestName)
  const shownModel = clean(model.name)
  const time = now()
  const createdAt = Math.floor(time / 1_000)
  const { seconds, frame, prompt } = request
  const defaults = source?.job ?? usual ?? unknown
  const job: Job = {
    id: newJobId(time),
    kind: 'video',
    keyId: caller.keyId,
    ...(caller.team !== undefined && { team: caller.team }),
    accountId: candidate.account.id,
    dialect: candidate.dialect.id,
    model: model.name,
    ...(shownModel !== model.name && { shownModel }),
    requested: model.requested,
    upstreamModel: clean(candidate.upstreamModel),
    upstreamId,
    status: 'queued',
    progress: 0,
    createdAt,
    expiresAt: createdAt + jobSeconds,
    prompt: prompt.slice(0, longestPrompt),
    seconds: seconds === undefined ? defaults.seconds : String(seconds),
    size: frame ? (pixelsOf(frame) ?? unknown.size) : defaults.size,
    ...(source && { remixedFrom: source.job.id }),
    ...(trace && { trace: trace.traceparent }),
  }
  return applyState(job, sanitizeState(state, candidate.account), createdAt)
}

/** The account chooses the values, and may not report them. */
const unknown = { seconds: '', size: '' }
