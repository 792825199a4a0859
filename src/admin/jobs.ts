import type { BackgroundWork } from '../contract/dialect-info.ts'
import { GatewayError } from '../contract/errors.ts'
import { type KnownJobs, walkJobs } from '../jobs/known-jobs.ts'
import { refreshJob } from '../jobs/refresh-job.ts'
import {
  type BatchKind,
  type JobKind,
  type ShownJob,
  batchJob,
  jobKinds,
  responseJob,
} from '../jobs/shown-job.ts'
import { isObject } from '../lib/json/object.ts'
import type { AccountCall } from '../media/account-call.ts'
import type { RunningGateway } from '../runtime/start-gateway.ts'
import type { ScannedPart } from './scan-page.ts'

/** Which jobs a list has. */
interface JobFilter {
  readonly keyId?: string | undefined
  readonly accountId?: string | undefined
  readonly kind?: ShownJob['kind'] | undefined
  readonly status?: ShownJob['status'] | undefined
}

/** Records of jobs are read whole, with their prompts, so that fewer are read at once. */
const perRead = 50

/** How many records to read at once; `undefined` for a filter that skips none. */
export function jobReadsOf({ accountId, kind, status }: JobFilter): number | undefined {
  return [accountId, kind, status].some((one) => one !== undefined) ? perRead : undefined
}

/** A cursor begins with the letter of its kind. */
const marks: Readonly<Record<JobKind, string>> = {
  video: '',
  batch: 'b.',
  'message-batch': 'm.',
  response: 'r.',
}

/** A part of the jobs that pass a filter. Rejects as `Jobs.walk` does. */
export async function walkFilteredJobs(
  known: KnownJobs,
  filter: JobFilter,
  part: { readonly cursor: string | undefined; readonly limit: number },
): Promise<ScannedPart<ShownJob>> {
  const wanted = jobKinds.filter((kind) => filter.kind === undefined || filter.kind === kind)
  const at = wanted.findIndex((kind) => kind !== 'video' && part.cursor?.startsWith(marks[kind]))
  const kind = wanted[Math.max(at, 0)]!
  const mark = marks[kind]
  const isStart = mark !== '' && part.cursor === mark
  const cursor = isStart ? undefined : part.cursor?.slice(mark.length)
  const { found, examined, next } = await walkJobs(known, kind, {
    limit: part.limit,
    cursor,
    keyId: filter.keyId,
  })
  const following = wanted[Math.max(at, 0) + 1]
  const nodes = found
    .filter(({ value }) => passes(value, filter))
    .map((one) => ({ node: one.value, cursor: mark + one.cursor }))
  if (next !== undefined) return { nodes, examined, next: mark + next }
  return { nodes, examined, ...(following && { next: marks[following] }) }
}

function passes(job: ShownJob, { accountId, status }: JobFilter): boolean {
  return (
    (accountId === undefined || job.accountId === accountId) &&
    (status === undefined || job.status === status)
  )
}

/** A job whose record operators can have forgotten. */
type ForgettableJob = ShownJob & { readonly kind: 'video' | BatchKind }

/** Forgets the record of a job. Rejects as `Jobs.find` does. */
export async function forgetJob(
  known: KnownJobs,
  { kind, id, keyId }: ForgettableJob,
): Promise<void> {
  if (kind === 'video') {
    const job = await known.jobs.find(id, keyId)
    if (job) await known.jobs.remove(job)
    return
  }
  const batch = await known.objects.find(kind, id, keyId)
  if (batch) await known.objects.remove(batch)
}

/** The last known state of a job. */
export interface RefreshedJob {
  readonly job: ShownJob
  /** True if the account did not answer, so that the state is the stored one. */
  readonly stale: boolean
}

/**
 * Asks the account of a job for its state, as a poll of its client does; the state of a batch is not stored, since its client
 * finds the files of one by its own look-up. Rejects with `not_found` if the account does not know the job,
 * `owner_unavailable` if the account cannot be asked.
 */
export async function refreshAnyJob(
  running: Pick<RunningGateway, 'gateway' | 'accounts'>,
  known: KnownJobs,
  shown: ShownJob,
  now: () => number,
): Promise<RefreshedJob> {
  const { jobs } = known
  const { kind } = shown
  if (kind !== 'video') {
    const work = await findWork(known, { ...shown, kind })
    if (work.isOver) return { job: shown, stale: false }
    const look = askForWork(running, work, ({ lookUp }) => lookUp(shown.upstreamId))
    return look.catch((error: unknown) => staleUnlessGone(shown, error))
  }
  const job = await jobs.find(shown.id, shown.keyId)
  if (!job) throw unknownToAccount()
  return running.gateway.lookUp(job, (exchange, accountClient) =>
    refreshJob(exchange, job, { jobs, accountClient, now, notFound: unknownToAccount }),
  )
}

/** A job that its account can be asked to cancel. */
type CancellableJob = ShownJob & { readonly kind: BatchKind | 'response' }

/** Cancels a batch, or a response in the background, at its account. Rejects as `refreshAnyJob` does. */
export async function cancelJob(
  running: Pick<RunningGateway, 'gateway' | 'accounts'>,
  known: KnownJobs,
  shown: CancellableJob,
): Promise<ShownJob> {
  const work = await findWork(known, shown)
  const { job } = await askForWork(running, work, ({ cancel }) => cancel?.(shown.upstreamId))
  return job
}

/** A batch or a response, as its account can be asked for it. */
interface Work extends Pick<ShownJob, 'keyId' | 'accountId' | 'dialect'> {
  readonly isOver?: true
  /** The job as its account's reply describes it. */
  show(reply: unknown, background: BackgroundWork): ShownJob
}

async function findWork(
  { objects, openJobs }: KnownJobs,
  { kind, id, keyId }: CancellableJob,
): Promise<Work> {
  if (kind !== 'response') {
    const batch = await objects.find(kind, id, keyId)
    if (!batch) throw unknownToAccount()
    return { ...batch, show: (reply) => batchJob(batch, isObject(reply) ? reply : batch.shown) }
  }
  const open = await openJobs.find(id, keyId)
  if (!open) throw unknownToAccount()
  return {
    ...open,
    show(reply, { endOf }) {
      const end = endOf(reply)?.status
      if (end) void openJobs.look({ kind, keyId, id })
      return responseJob(open, end)
    },
  }
}

async function askForWork(
  { gateway, accounts }: Pick<RunningGateway, 'gateway' | 'accounts'>,
  work: Work,
  callOf: (background: BackgroundWork) => AccountCall | undefined,
): Promise<RefreshedJob> {
  const { accountId, dialect, keyId } = work
  const found = accounts.snapshot.findCandidate(accountId, dialect)
  const background = found?.dialect.background
  const call = background && callOf(background)
  if (!found || !call)
    throw new GatewayError('owner_unavailable', 'The account of the job cannot be asked.')
  const candidate = { ...found, native: true, upstreamModel: '' }
  const { json } = await gateway.lookUp({ keyId, dialect }, (_exchange, accountClient) =>
    accountClient.fetchJson(candidate, call),
  )
  return { job: work.show(json, background), stale: false }
}

/** An account that does not answer leaves the last known state. */
function staleUnlessGone(job: ShownJob, error: unknown): RefreshedJob {
  const isAnswer = GatewayError.isInstance(error) && error.upstream !== undefined
  if (!isAnswer || error.upstream.status === 404) throw error
  return { job, stale: true }
}

function unknownToAccount(): GatewayError {
  return new GatewayError('not_found', 'The account does not know the job any more.')
}
