import { jobIdLength } from '../jobs/ids.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Objects, StoredObject } from '../jobs/objects.ts'
import { refreshJob } from '../jobs/refresh-job.ts'
import { GatewayError } from '../contract/errors.ts'
import type { BackgroundWork } from '../contract/dialect-info.ts'
import type { AccountCall } from '../media/account-call.ts'
import type { RunningGateway } from '../runtime/start-gateway.ts'
import { isObject } from '../lib/json/object.ts'
import { type BatchKind, type ShownJob, batchJob, batchKinds } from './shown-jobs.ts'
import type { ScannedPart } from './scan-page.ts'

/** The records of work that outlasts its call. */
export interface KnownJobs {
  readonly jobs: Jobs
  readonly objects: Objects
}

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

/** The kinds, in the order of a list: first all videos, then all batches. A cursor begins with the letter of its kind. */
const kinds = [
  ['video', ''],
  ['batch', 'b.'],
  ['message-batch', 'm.'],
] as const

/** A part of the jobs that pass a filter. Rejects as `Jobs.walk` does. */
export async function walkFilteredJobs(
  known: KnownJobs,
  filter: JobFilter,
  part: { readonly cursor: string | undefined; readonly limit: number },
): Promise<ScannedPart<ShownJob>> {
  const wanted = kinds.filter(([kind]) => filter.kind === undefined || filter.kind === kind)
  const at = wanted.findIndex(([, mark]) => mark !== '' && part.cursor?.startsWith(mark))
  const [kind, mark] = wanted[Math.max(at, 0)]!
  const isStart = mark !== '' && part.cursor === mark
  const cursor = isStart ? undefined : part.cursor?.slice(mark.length)
  const { found, examined, next } = await walkKind(known, kind, {
    limit: part.limit,
    cursor,
    keyId: filter.keyId,
  })
  const following = wanted[Math.max(at, 0) + 1]
  const nodes = found
    .filter(({ value }) => passes(value, filter))
    .map((one) => ({ node: one.value, cursor: mark + one.cursor }))
  if (next !== undefined) return { nodes, examined, next: mark + next }
  return { nodes, examined, ...(following && { next: following[1] }) }
}

async function walkKind(
  { jobs, objects }: KnownJobs,
  kind: ShownJob['kind'],
  page: Parameters<Jobs['walk']>[0],
) {
  if (kind === 'video') {
    const { jobs: found, ...rest } = await jobs.walk(page)
    return { ...rest, found: found.map(({ job: value, cursor }) => ({ value, cursor })) }
  }
  const { found, ...rest } = await objects.walk(kind, page)
  return { ...rest, found: found.map((one) => ({ ...one, value: batchJob(one.value) })) }
}

function passes(job: ShownJob, { accountId, status }: JobFilter): boolean {
  return (
    (accountId === undefined || job.accountId === accountId) &&
    (status === undefined || job.status === status)
  )
}

/** How an operator names a job. */
interface NamedJob {
  readonly id: string
  readonly keyId?: string | undefined
  readonly signal?: AbortSignal
}

/**
 * The job of an id, with or without what the dialects put before it; of any key if none is named.
 * `undefined` for an unknown or expired one. Rejects with `lookup_unavailable`, and the reason of the signal.
 */
export async function findJob(known: KnownJobs, named: NamedJob): Promise<ShownJob | undefined> {
  const { jobs } = known
  const { keyId, signal } = named
  const id = named.id.slice(-jobIdLength)
  const video = await (keyId === undefined ? jobs.findAny(id, signal) : jobs.find(id, keyId))
  if (video) return video
  const batch = await findBatch(known, named)
  return batch && batchJob(batch)
}

async function findBatch(
  { objects }: KnownJobs,
  { id: shown, keyId, signal }: NamedJob,
): Promise<StoredObject | undefined> {
  const id = shown.slice(-jobIdLength)
  for (const kind of batchKinds) {
    const found = await (keyId === undefined
      ? objects.findAny(kind, id, signal)
      : objects.find(kind, id, keyId))
    if (found) return found
  }
  return undefined
}

/** Forgets the record of a job. Rejects as `Jobs.find` does. */
export async function forgetJob(known: KnownJobs, { kind, id, keyId }: ShownJob): Promise<void> {
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
  const { jobs, objects } = known
  if (shown.kind !== 'video') {
    const batch = await objects.find(shown.kind, shown.id, shown.keyId)
    if (!batch) throw unknownToAccount()
    if (batch.isOver) return { job: batchJob(batch), stale: false }
    const look = askForBatch(running, batch, ({ lookUp }) => lookUp(batch.upstreamId))
    return look.catch((error: unknown) => staleUnlessGone(batch, error))
  }
  const job = await jobs.find(shown.id, shown.keyId)
  if (!job) throw unknownToAccount()
  return running.gateway.lookUp(job, (exchange, accountClient) =>
    refreshJob(exchange, job, { jobs, accountClient, now, notFound: unknownToAccount }),
  )
}

/** Cancels a batch at its account. Rejects as `refreshAnyJob` does. */
export async function cancelBatch(
  running: Pick<RunningGateway, 'gateway' | 'accounts'>,
  { objects }: KnownJobs,
  { kind, id, keyId }: ShownJob & { readonly kind: BatchKind },
): Promise<ShownJob> {
  const batch = await objects.find(kind, id, keyId)
  if (!batch) throw unknownToAccount()
  const { job } = await askForBatch(running, batch, ({ cancel }) => cancel?.(batch.upstreamId))
  return job
}

async function askForBatch(
  { gateway, accounts }: Pick<RunningGateway, 'gateway' | 'accounts'>,
  batch: StoredObject,
  callOf: (work: BackgroundWork) => AccountCall | undefined,
): Promise<RefreshedJob> {
  const { accountId, dialect, keyId } = batch
  const found = accounts.snapshot.findCandidate(accountId, dialect)
  const call = found?.dialect.background && callOf(found.dialect.background)
  if (!found || !call)
    throw new GatewayError('owner_unavailable', 'The account of the batch cannot be asked.')
  const candidate = { ...found, native: true, upstreamModel: '' }
  const { json } = await gateway.lookUp({ keyId, dialect }, (_exchange, accountClient) =>
    accountClient.fetchJson(candidate, call),
  )
  return { job: batchJob(batch, isObject(json) ? json : batch.shown), stale: false }
}

/** An account that does not answer leaves the last known state. */
function staleUnlessGone(batch: StoredObject, error: unknown): RefreshedJob {
  const isAnswer = GatewayError.isInstance(error) && error.upstream !== undefined
  if (!isAnswer || error.upstream.status === 404) throw error
  return { job: batchJob(batch), stale: true }
}

function unknownToAccount(): GatewayError {
  return new GatewayError('not_found', 'The account does not know the job any more.')
}
