import type { AccountClient, AccountReply } from '../contract/operation.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Understood } from '../contract/exchange.ts'
import type { VideoState } from '../media/video.ts'
import { applyState, sanitizeState } from './state.ts'
import { type Job, isOver } from './job.ts'
import type { Jobs } from './jobs.ts'
import { type JobOwner, ownerOf, recordJob } from './owner.ts'

/** A job as it stands, as far as that can be known. */
export interface RefreshedJob {
  readonly job: Job
  /** The account could not be asked just now: this is what was last known. */
  readonly stale: boolean
  /** What the account's answer asks pollers to wait, in milliseconds. */
  readonly pollAfterMs?: string
}

export interface RefreshOptions {
  readonly jobs: Jobs
  readonly accountClient: AccountClient
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
export async function refreshJob(
  exchange: Understood,
  job: Job,
  options: RefreshOptions,
): Promise<RefreshedJob> {
  if (isOver(job)) return { job, stale: false }
  const owner = ownerOf(exchange, job)
  const told = await tell(owner, job, options)
  if (!told) {
    recordJob(exchange, job, { stale: true })
    return { job, stale: true }
  }
  const seen = await note(job, sanitizeState(told.state, owner.candidate.account), options)
  recordJob(exchange, seen)
  const { 'openai-poll-after-ms': pollAfterMs } = told.headers
  return { job: seen, stale: false, ...(pollAfterMs !== undefined && { pollAfterMs }) }
}

interface ToldState extends Pick<AccountReply, 'headers'> {
  readonly state: VideoState
}

async function tell(
  { candidate, codec }: JobOwner,
  job: Job,
  options: RefreshOptions,
): Promise<ToldState | undefined> {
  const { accountClient, jobs } = options
  try {
    const { json, headers } = await accountClient.fetchJson(candidate, codec.status(job.upstreamId))
    const state = codec.readStatus(json)
    if (state) return { state, headers }
    jobs.lookupFailed(job, tellsNothing)
  } catch (error) {
    if (!GatewayError.isInstance(error)) throw error
    if (error.code === 'upstream_reply_too_large') return { state: tooLarge, headers: {} }
    untold(job, error, options)
  }
  return undefined
}

/** Throws where that is an answer of its own. */
function untold(job: Job, error: GatewayError, { jobs, now, notFound }: RefreshOptions): void {
  if (error.code === 'client_closed_request' || error.code === 'internal_error') throw error
  const isUnknown = error.upstream?.status === 404
  const isSettled = now() / 1_000 - job.createdAt > settlingSeconds
  if (isUnknown && isSettled) throw notFound()
  // What has just been taken may not be known yet.
  if (!isUnknown) jobs.lookupFailed(job, error)
}

const tellsNothing = new GatewayError('upstream_invalid_reply', 'Its reply tells of no job.')

/** It would be as large the next time. */
const tooLarge: VideoState = {
  status: 'failed',
  error: {
    code: 'result_too_large',
    message: 'The account tells the result in a reply that is too large for this gateway.',
  },
}

/** What is known is told, also where it cannot be written down: the next look will. */
async function note(
  job: Job,
  state: VideoState,
  { jobs, now, notFound }: RefreshOptions,
): Promise<Job> {
  const change = (known: Job) => applyState(known, state, Math.floor(now() / 1_000))
  const seen = await jobs.update(job, change).catch(() => change(job))
  if (!seen || seen.expiresAt * 1_000 <= now()) throw notFound()
  return seen
}
