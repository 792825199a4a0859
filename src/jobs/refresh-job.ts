import type { AccountClient, AccountReply } from '../contract/operation.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Understood } from '../contract/exchange.ts'
import type { VideoState } from '../media/video.ts'
import { sanitizeState } from './sanitize-state.ts'
import { applyState } from './state.ts'
import { type Job, isOver } from './job.ts'
import type { Jobs } from './jobs.ts'
import { type JobOwner, ownerOf, recordJob } from './owner.ts'

/** The last known state of a job. */
export interface RefreshedJob {
  readonly job: Job
  /** True if the account did not answer, so that the state is the stored one. */
  readonly stale: boolean
  /** The account's `openai-poll-after-ms`: how long a client should wait before it polls again. */
  readonly pollAfterMs?: string
}

/** The options of `refreshJob`. */
export interface RefreshOptions {
  readonly jobs: Jobs
  readonly accountClient: AccountClient
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** The client's dialect's error for an unknown job. */
  readonly notFound: () => GatewayError
}

/** In seconds: how long an account may answer 404 for a new job or its content. */
export const settlingSeconds = 60

/**
 * Fetches the state of a job from its account and stores it. A job with a final status is returned as it
 * is. If the account does not answer, the result is `stale`. Throws `notFound()` if the account does not
 * know the job any more.
 */
export async function refreshJob(
  exchange: Understood,
  job: Job,
  options: RefreshOptions,
): Promise<RefreshedJob> {
  if (isOver(job)) return { job, stale: false }
  const owner = ownerOf(exchange, job)
  const fetched = await fetchState(owner, job, options)
  if (!fetched) {
    recordJob(exchange, job, { stale: true })
    return { job, stale: true }
  }
  const state = sanitizeState(fetched.state, owner.candidate.account)
  const stored = await storeState(job, state, options)
  recordJob(exchange, stored)
  const { 'openai-poll-after-ms': pollAfterMs = '' } = fetched.headers
  return { job: stored, stale: false, ...(wholeMs.test(pollAfterMs) && { pollAfterMs }) }
}

/** Milliseconds that the pollers of SDKs can read: whole, and below 17 minutes. */
const wholeMs = /^\d{1,6}$/

interface FetchedState extends Pick<AccountReply, 'headers'> {
  readonly state: VideoState
}

async function fetchState(
  { candidate, codec }: JobOwner,
  job: Job,
  options: RefreshOptions,
): Promise<FetchedState | undefined> {
  const { accountClient, jobs } = options
  try {
    const { json, headers } = await accountClient.fetchJson(candidate, codec.status(job.upstreamId))
    const state = codec.readStatus(json)
    if (state) return { state, headers }
    jobs.lookupFailed(job, unreadable)
  } catch (error) {
    if (!GatewayError.isInstance(error)) throw error
    if (error.code === 'upstream_reply_too_large') return { state: tooLarge, headers: {} }
    handleFailure(job, error, options)
  }
  return undefined
}

/** Throws if the failure answers the client's request; otherwise logs it. */
function handleFailure(
  job: Job,
  error: GatewayError,
  { jobs, now, notFound }: RefreshOptions,
): void {
  if (error.code === 'client_closed_request' || error.code === 'internal_error') throw error
  const isUnknown = error.upstream?.status === 404
  const isSettled = now() / 1_000 - job.createdAt > settlingSeconds
  if (isUnknown && isSettled) throw notFound()
  // The account may not know a new job yet.
  if (!isUnknown) jobs.lookupFailed(job, error)
}

const unreadable = new GatewayError('upstream_invalid_reply', 'The reply describes no job.')

/** Final, because the next reply would exceed the limit again. */
const tooLarge: VideoState = {
  status: 'failed',
  error: {
    code: 'result_too_large',
    message: 'The account’s reply with the result is too large for this gateway.',
  },
}

/** Applies the state to the stored job. If the store fails, the next refresh writes it. */
async function storeState(
  job: Job,
  state: VideoState,
  { jobs, now, notFound }: RefreshOptions,
): Promise<Job> {
  const change = (known: Job) => applyState(known, state, Math.floor(now() / 1_000))
  const stored = await jobs.update(job, change).catch(() => change(job))
  if (!stored || stored.expiresAt * 1_000 <= now()) throw notFound()
  return stored
}
