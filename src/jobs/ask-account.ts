import type { Snapshot } from '../contract/candidate.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Understood } from '../contract/exchange.ts'
import type { AccountClient } from '../contract/operation.ts'
import { type Job, isOver } from './job.ts'
import type { Jobs } from './jobs.ts'
import type { JobAnswer, JobEnd, OpenJob } from './open-jobs.ts'
import { refreshJob } from './refresh-job.ts'
import { spendOfJob, spendOfResponse } from './spend.ts'

/** The parts of `askAccount`. */
interface AskOptions {
  /** See `Gateway.lookUp`. */
  lookUp<T>(
    about: { readonly keyId: string; readonly dialect: string },
    work: (exchange: Understood, accountClient: AccountClient) => Promise<T>,
  ): Promise<T>
  readonly snapshot: Snapshot
  /** Absent: a job is no video. */
  readonly jobs: Jobs | undefined
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** Asks the account of an open job by a free look-up how the job has ended. Never rejects. */
export async function askAccount(job: OpenJob, options: AskOptions): Promise<JobAnswer> {
  try {
    return await (job.kind === 'video' ? askForVideo(job, options) : askForResponse(job, options))
  } catch (error) {
    return isUnknown(error) ? 'gone' : 'silent'
  }
}

async function askForVideo(open: OpenJob, options: AskOptions): Promise<JobAnswer> {
  const { jobs, snapshot, now } = options
  const known = await jobs?.find(open.id, open.keyId)
  if (!jobs || !known) return 'gone'
  const { job, stale } = await options.lookUp(open, (exchange, accountClient) =>
    refreshJob(exchange, known, { jobs, accountClient, now, notFound }),
  )
  if (stale) return 'silent'
  return isOver(job) ? endOfVideo(job, snapshot) : 'running'
}

/** The end of a video that is over. */
export function endOfVideo(job: Job, snapshot: Snapshot): JobEnd {
  const { status, completedAt } = job
  return {
    status: status === 'completed' ? status : 'failed',
    completedAt,
    spend: spendOfJob(job, snapshot),
  }
}

async function askForResponse(job: OpenJob, options: AskOptions): Promise<JobAnswer> {
  const { upstreamId } = job
  if (upstreamId === undefined) return 'gone'
  const found = options.snapshot.findCandidate(job.accountId, job.dialect)
  const background = found?.dialect.background
  if (!found || !background) return 'silent'
  const candidate = { ...found, native: true, upstreamModel: '' }
  const { json } = await options.lookUp(job, (_exchange, accountClient) =>
    accountClient.fetchJson(candidate, background.lookUp(upstreamId)),
  )
  const ended = background.endOf(json)
  if (!ended) return 'running'
  const spend = spendOfResponse(job, ended, options.snapshot, options.now())
  return { status: ended.status, spend }
}

function notFound(): GatewayError {
  return new GatewayError('not_found', 'The account does not know the job any more.')
}

function isUnknown(error: unknown): boolean {
  if (!GatewayError.isInstance(error)) return false
  return error.code === 'not_found' || error.upstream?.status === 404
}
