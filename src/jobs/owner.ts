import type { Pin } from '../contract/call.ts'
import type { Candidate } from '../contract/candidate.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Authenticated, Received, JobSummary, Understood } from '../contract/exchange.ts'
import type { VideoCodec } from '../media/video.ts'
import type { Job } from './job.ts'
import type { Jobs } from './jobs.ts'

/** Tells of a job to whoever looks on at the exchange, in place of what was told before. */
export function recordJob(
  { progress }: Received,
  { id, accountId, requested, model, status, error, withheld }: Job,
  { stale = false, remixedFrom }: Partial<Pick<JobSummary, 'stale' | 'remixedFrom'>> = {},
): void {
  progress.job = {
    id,
    account: accountId,
    model: { requested, name: model },
    status,
    error: error && (withheld ? 'moderation_blocked' : error.code),
    stale,
    remixedFrom,
  }
}

/** Tells of a job that is to be made of this one, which its client knows as `remixedFrom`. */
export function recordSource(
  { progress }: Received,
  { accountId, requested, model }: Job,
  remixedFrom: string,
): void {
  progress.job = {
    account: accountId,
    model: { requested, name: model },
    stale: false,
    remixedFrom,
  }
}

/** The caller's own job. What is unknown, another key's or expired all looks the same. */
export async function ownJob(
  exchange: Authenticated,
  jobs: Jobs,
  id: string,
  notFound: () => GatewayError,
): Promise<Job> {
  const job = await jobs.find(id, exchange.caller.keyId)
  if (!job) throw notFound()
  recordJob(exchange, job)
  return job
}

/** The account that has a job, spoken to as it was when it took it. */
export interface JobOwner {
  readonly candidate: Candidate
  readonly codec: VideoCodec
}

/** Throws `owner_unavailable` where the account cannot be asked any more. */
export function ownerOf(exchange: Understood, job: Job): JobOwner {
  const { snapshot, dialect } = exchange
  const speaker = snapshot.findCandidate(job.accountId, job.dialect)
  const codec = speaker?.dialect.video
  if (!speaker || !codec) throw unavailable(whyGone(exchange, job))
  const native = speaker.dialect.id === dialect.id
  return { candidate: { ...speaker, native, upstreamModel: '' }, codec }
}

/** Work that only the account of this job can do. */
export function pinTo({ accountId }: Job): Pin {
  return { pinnedTo: accountId, by: 'jobs', unavailable }
}

function unavailable(reason: string): GatewayError {
  return new GatewayError(
    'owner_unavailable',
    `The account that has this video cannot be used: ${reason}.`,
  )
}

function whyGone({ snapshot }: Understood, { accountId }: Job): string {
  const account = snapshot.accounts.find(({ id }) => id === accountId)
  if (!account) return 'it is not configured any more'
  return account.enabled ? 'it does not speak this protocol any more' : 'it is disabled'
}
