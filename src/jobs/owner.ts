import type { Pin } from '../contract/call.ts'
import type { Candidate } from '../contract/candidate.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Authenticated, Received, JobSummary, Understood } from '../contract/exchange.ts'
import { ownerGone } from '../kit/owner-unreachable.ts'
import type { VideoCodec } from '../media/video.ts'
import type { Job } from './job.ts'
import type { Jobs } from './jobs.ts'

/** Records the job that the exchange is about, for plugins such as the access log. */
export function recordJob(
  { progress }: Received,
  job: Job,
  { stale = false, remixedFrom }: Partial<Pick<JobSummary, 'stale' | 'remixedFrom'>> = {},
): void {
  const { id, accountId, requested, model, status } = job
  progress.job = {
    id,
    account: accountId,
    model: { requested, name: model },
    status,
    error: errorCodeOf(job),
    stale,
    remixedFrom,
  }
}

/** The code of the error of a failed job. */
function errorCodeOf({ error, withheld }: Pick<Job, 'error' | 'withheld'>) {
  return error && (withheld ? 'moderation_blocked' : error.code)
}

/** Records that the exchange creates a job from this one. `remixedFrom` is its name for the client. */
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

/** The caller's job. Throws `notFound()` for a job that is unknown, expired or of another key. */
export async function ownJob(
  exchange: Authenticated,
  jobs: Jobs,
  id: string,
  notFound: () => GatewayError,
): Promise<Job> {
  const job = await jobs.find(id, exchange.caller.keyId)
  if (!job) throw notFound()
  recordJob(exchange, job)
  exchange.progress.trace?.linkTo(job.trace, 'job')
  return job
}

/** The account that has a job, in the dialect in which it created the job. */
export interface JobOwner {
  readonly candidate: Candidate
  readonly codec: VideoCodec
}

/** The account of a job. Throws `owner_unavailable` if it is not configured, disabled or changed. */
export function ownerOf(exchange: Understood, job: Job): JobOwner {
  const candidate = accountOf(exchange, job, 'video')
  const codec = candidate.dialect.video
  if (!codec) throw gone(exchange, job, 'video')
  return { candidate, codec }
}

/** Where something is: an account, and the dialect in which it was created there. */
type Place = Pick<Job, 'accountId' | 'dialect'>

/**
 * The account that has something, a `noun` in messages. Throws `owner_unavailable` if it is not configured, disabled or
 * changed.
 */
export function accountOf(exchange: Understood, place: Place, noun: string): Candidate {
  const { snapshot, dialect } = exchange
  const candidate = snapshot.findCandidate(place.accountId, place.dialect)
  if (!candidate) throw gone(exchange, place, noun)
  return { ...candidate, native: candidate.dialect.id === dialect.id, upstreamModel: '' }
}

function gone(exchange: Understood, place: Place, noun: string): GatewayError {
  const owner = { unavailable: unavailableOf(noun) }
  return ownerGone(exchange.snapshot, owner, whyGone(exchange, place))
}

/** Pins a call to the account of a job, or of something else that is a `noun` in messages. */
export function pinTo({ accountId }: Pick<Place, 'accountId'>, noun = 'video'): Pin {
  return { pinnedTo: accountId, by: 'jobs', unavailable: unavailableOf(noun) }
}

function unavailableOf(noun: string): Pin['unavailable'] {
  return (reason) =>
    new GatewayError(
      'owner_unavailable',
      `The account that has this ${noun} cannot be used: ${reason}.`,
    )
}

function whyGone({ snapshot }: Understood, { accountId }: Place): string {
  const account = snapshot.accounts.find(({ id }) => id === accountId)
  if (!account) return 'it is no longer configured'
  return account.enabled ? 'it no longer speaks this dialect' : 'it is disabled'
}
