import type { Asking, Told } from '../dialect.ts'
import { GatewayError } from '../errors.ts'
import type { Understood } from '../exchange.ts'
import type { VideoSample, VideoState } from '../media/video.ts'
import { Declined } from '../plugin.ts'
import { isOver, type Job, type JobChanges, jobSeconds } from './job.ts'
import type { Jobs } from './jobs.ts'
import { type JobOwner, ownerOf } from './owner.ts'

/** A job as it stands, as far as that can be known. */
export interface Seen {
  readonly job: Job
  /** The account could not be asked just now: this is what was last known. */
  readonly stale: boolean
  /** What the account's answer asks pollers to wait, in milliseconds. */
  readonly pollAfterMs?: string
}

export interface LookOptions {
  readonly jobs: Jobs
  readonly asking: Asking
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly notFound: () => GatewayError
}

/** Some accounts do not find at once what they have just taken, in seconds. */
export const settlingSeconds = 60

/**
 * Asks the account how a job of its stands, and writes down what is new. An account that does not
 * answer is no failure of the job.
 */
export async function look(exchange: Understood, job: Job, options: LookOptions): Promise<Seen> {
  if (isOver(job)) return { job, stale: false }
  const owner = ownerOf(exchange, job)
  const told = await tell(owner, job, options)
  const state = told && owner.codec.readStatus(told.json)
  if (!told || !state) return { job, stale: true }
  const seen = await note(job, state, options)
  const { 'openai-poll-after-ms': pollAfterMs } = told.headers
  return { job: seen, stale: false, ...(pollAfterMs !== undefined && { pollAfterMs }) }
}

async function tell(
  { candidate, codec }: JobOwner,
  job: Job,
  { asking, now, notFound }: LookOptions,
): Promise<Told | undefined> {
  try {
    return await asking.ask(candidate, codec.status(job.upstreamId))
  } catch (error) {
    // A plugin had nobody asked.
    if (error instanceof Declined) return undefined
    if (!GatewayError.isInstance(error)) throw error
    if (error.code === 'client_closed_request' || error.code === 'internal_error') throw error
    const isSettled = now() / 1_000 - job.createdAt > settlingSeconds
    if (error.upstream?.status === 404 && isSettled) throw notFound()
    return undefined
  }
}

async function note(job: Job, state: VideoState, options: LookOptions): Promise<Job> {
  const { jobs, now, notFound } = options
  const changes = changesBy(job, state, Math.floor(now() / 1_000))
  const next = { ...job, ...changes }
  const seen = JSON.stringify(next) === JSON.stringify(job) ? job : await write(jobs, job, next)
  if (!seen || seen.expiresAt * 1_000 <= now()) throw notFound()
  return seen
}

/** What is known is told, also where it cannot be written down: the next look will. */
async function write(jobs: Jobs, job: Job, next: Job): Promise<Job | undefined> {
  try {
    return await jobs.update(job, next)
  } catch {
    return next
  }
}

/** Accounts may say anything, and every look reads it all. Characters. */
const longestText = 4_096
const longestExtras = 16_384
/** As many as one digit of a file's name counts. */
const mostSamples = 36

function isKept(extras: object): boolean {
  const { length } = JSON.stringify(extras)
  return length > '{}'.length && length <= longestExtras
}

/** What a job's account says of it, as it is kept. */
export function changesBy(job: Job, state: VideoState, time: number): JobChanges {
  const { status, error, withheld, extras } = state
  const isDone = status === 'completed' || status === 'failed'
  const completedAt = state.completedAt ?? time
  const expiresAt = state.expiresAt ?? completedAt + jobSeconds
  return {
    status,
    progress: progressOf(state, job.progress),
    ...(status === 'completed' && { completedAt }),
    ...(isDone && { expiresAt }),
    ...(state.seconds !== undefined && { seconds: state.seconds }),
    ...(state.size !== undefined && { size: state.size }),
    ...(error && { error: { ...error, message: error.message.slice(0, longestText) } }),
    ...(state.samples && { samples: state.samples.slice(0, mostSamples).map(withoutContent) }),
    ...(withheld && { withheld }),
    ...(extras && isKept(extras) && { extras }),
  }
}

/** It never runs backwards, and is whole at the end alone. */
function progressOf({ status, progress = 0 }: VideoState, before: number): number {
  if (status === 'completed') return 100
  return Math.max(before, Math.min(Math.max(Math.round(progress), 0), 99))
}

/** Videos are too large to be kept beside the job; the account tells them again. */
function withoutContent({ base64, ...sample }: VideoSample): VideoSample {
  return base64 === undefined ? sample : { ...sample, inline: true }
}
