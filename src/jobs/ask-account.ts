import type { Snapshot } from '../contract/candidate.ts'
import type { BackgroundWork } from '../contract/dialect-info.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Understood } from '../contract/exchange.ts'
import type { AccountClient } from '../contract/operation.ts'
import type { EndedResponse, Reply } from '../contract/outcome.ts'
import { type Job, isOver } from './job.ts'
import type { Jobs } from './jobs.ts'
import { sumOfLines } from './line-usage.ts'
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
    return await (job.kind === 'video' ? askForVideo(job, options) : askForWork(job, options))
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

async function askForWork(job: OpenJob, options: AskOptions): Promise<JobAnswer> {
  const { upstreamId } = job
  if (upstreamId === undefined) return 'gone'
  const found = options.snapshot.findCandidate(job.accountId, job.dialect)
  const background = found?.dialect.background
  if (!found || !background) return 'silent'
  const candidate = { ...found, native: true, upstreamModel: '' }
  const ended = await options.lookUp(job, async (_exchange, accountClient) => {
    const { json } = await accountClient.fetchJson(candidate, background.lookUp(upstreamId))
    const end = background.endOf(json)
    const results = end && !end.usage ? background.resultsOf?.(json) : undefined
    if (!end || !results) return end
    return withUsage(end, results, (place) => accountClient.proxy(candidate, place))
  })
  if (!ended) return 'running'
  const spend = spendOfResponse(job, ended, options.snapshot, options.now())
  return { status: ended.status, spend }
}

type Results = NonNullable<ReturnType<NonNullable<BackgroundWork['resultsOf']>>>

/** The end of work whose results alone say what it has used. */
async function withUsage(
  ended: EndedResponse,
  { place, usageOf }: Results,
  open: (place: Results['place']) => Promise<Reply>,
): Promise<EndedResponse> {
  const { body } = await open(place)
  return { ...ended, usage: await sumOfLines(body, usageOf) }
}

function notFound(): GatewayError {
  return new GatewayError('not_found', 'The account does not know the job any more.')
}

function isUnknown(error: unknown): boolean {
  if (!GatewayError.isInstance(error)) return false
  return error.code === 'not_found' || error.upstream?.status === 404
}
