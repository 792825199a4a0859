import type { Account } from '../contract/account.ts'
import { redact, redactValue } from '../kit/redact.ts'
import type { VideoError, VideoSample, VideoState, VideoStatus } from '../media/video.ts'
import { isMediaType } from '../storage/media-type.ts'
import { type Job, isOver, jobSeconds } from './job.ts'

/** Limits in characters: accounts choose the texts, and every refresh reads them. */
const longestWord = 200

const longestText = 4_096

const longestUri = 8_192

const longestExtras = 16_384

const mostReasons = 20

const longestReason = 1_024

/** The file names of samples number them with one digit in base 36. */
const mostSamples = 36

/** The state of a job as it is stored: of limited size, and without the account's credential. */
export function sanitizeState(state: VideoState, account: Account): VideoState {
  const { error, samples, seconds, size, withheld, extras, ...rest } = state
  const cut = (text: string, length: number) => redact(text, account).slice(0, length)
  return {
    ...rest,
    ...(seconds !== undefined && { seconds: cut(seconds, longestWord) }),
    ...(size !== undefined && { size: cut(size, longestWord) }),
    ...(error && { error: cutError(error, cut) }),
    ...(samples && { samples: samples.slice(0, mostSamples).map(sanitizeSample) }),
    ...(withheld && {
      withheld: {
        count: withheld.count,
        reasons: withheld.reasons.slice(0, mostReasons).map((one) => cut(one, longestReason)),
      },
    }),
    ...(extras && isStorable(extras) && { extras: redactValue(extras, account) as typeof extras }),
  }
}

function cutError(
  { code, message, type }: VideoError,
  cut: (text: string, length: number) => string,
): VideoError {
  return {
    code: cut(code, longestWord),
    message: cut(message, longestText),
    ...(type !== undefined && { type: cut(type, longestWord) }),
  }
}

/**
 * Inline videos are too large for the record and are fetched again. A URI is left out rather than cut.
 * Clients do not see it, so it may contain the account's address.
 */
function sanitizeSample({ uri, base64, inline, mediaType }: VideoSample): VideoSample {
  return {
    ...(uri !== undefined && uri.length <= longestUri && { uri }),
    ...((base64 !== undefined || inline) && { inline: true }),
    ...(mediaType !== undefined && isMediaType(mediaType) && { mediaType }),
  }
}

function isStorable(extras: object): boolean {
  const { length } = JSON.stringify(extras)
  return length > '{}'.length && length <= longestExtras
}

/**
 * The job with a newer state of its account; the same object if nothing changes. `time` is in seconds
 * since 1970. Refreshes may overtake each other, so a final status stays, and a state that is older than
 * the job's is ignored.
 */
export function applyState(job: Job, state: VideoState, time: number): Job {
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

/** At most 99 before the job is completed. */
function percentOf(progress: number): number {
  return Math.min(Math.max(Math.round(progress), 0), 99)
}
