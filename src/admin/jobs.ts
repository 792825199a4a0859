import { jobIdLength } from '../jobs/ids.ts'
import type { Job } from '../jobs/job.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { type RefreshedJob, refreshJob } from '../jobs/refresh-job.ts'
import { GatewayError } from '../contract/errors.ts'
import type { RunningGateway } from '../runtime/start-gateway.ts'
import type { ScannedPart } from './scan-page.ts'

/** Which jobs a list has. */
interface JobFilter {
  readonly keyId?: string | undefined
  readonly accountId?: string | undefined
  readonly kind?: string | undefined
  readonly status?: Job['status'] | undefined
}

/** Records of jobs are read whole, with their prompts, so that fewer are read at once. */
const perRead = 50

/** How many records to read at once; `undefined` for a filter that skips none. */
export function jobReadsOf({ accountId, kind, status }: JobFilter): number | undefined {
  return [accountId, kind, status].some((one) => one !== undefined) ? perRead : undefined
}

/** A part of the jobs that pass a filter. Rejects as `Jobs.walk` does. */
export async function walkFilteredJobs(
  jobs: Jobs,
  filter: JobFilter,
  part: { readonly cursor: string | undefined; readonly limit: number },
): Promise<ScannedPart<Job>> {
  const { jobs: found, ...page } = await jobs.walk({ ...part, keyId: filter.keyId })
  const nodes = found
    .filter(({ job }) => passes(job, filter))
    .map(({ job, cursor }) => ({ node: job, cursor }))
  return { ...page, nodes }
}

function passes(job: Job, { accountId, kind, status }: JobFilter): boolean {
  return (
    (accountId === undefined || job.accountId === accountId) &&
    (kind === undefined || job.kind === kind) &&
    (status === undefined || job.status === status)
  )
}

/**
 * The job of an id, with or without what the dialects put before it; of any key if none is named.
 * `undefined` for an unknown or expired one. Rejects with `lookup_unavailable`, and the reason of the signal.
 */
export async function findJob(
  jobs: Jobs,
  {
    id: shown,
    keyId,
    signal,
  }: { readonly id: string; readonly keyId?: string | undefined; readonly signal?: AbortSignal },
): Promise<Job | undefined> {
  const id = shown.slice(-jobIdLength)
  return keyId === undefined ? jobs.findAny(id, signal) : jobs.find(id, keyId)
}

/**
 * Asks the account of a job for its state, as a poll of its client does. Rejects with `not_found` if
 * the account does not know the job, `owner_unavailable` if the account cannot be asked.
 */
export function refreshAnyJob(
  { gateway }: Pick<RunningGateway, 'gateway'>,
  jobs: Jobs,
  job: Job,
  now: () => number,
): Promise<RefreshedJob> {
  return gateway.lookUp(job, (exchange, accountClient) =>
    refreshJob(exchange, job, { jobs, accountClient, now, notFound: unknownToAccount }),
  )
}

function unknownToAccount(): GatewayError {
  return new GatewayError('not_found', 'The account does not know the job any more.')
}
