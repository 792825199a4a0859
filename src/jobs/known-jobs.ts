import type { WalkedRecords, RecordWalk } from './all-records.ts'
import { jobIdLength } from './ids.ts'
import type { Jobs } from './jobs.ts'
import type { Objects, StoredObject } from './objects.ts'
import type { OpenJobs } from './open-jobs.ts'
import {
  type JobKind,
  type ShownJob,
  batchJob,
  batchKinds,
  jobKinds,
  jobStates,
  responseJob,
} from './shown-job.ts'

/** The records of work that outlasts its call. */
export interface KnownJobs {
  readonly jobs: Jobs
  readonly objects: Objects
  readonly openJobs: OpenJobs
}

/** The records, if a pipeline shares all of them. */
export function knownJobsIn({
  jobs,
  objects,
  openJobs,
}: Partial<KnownJobs>): KnownJobs | undefined {
  return jobs && objects && openJobs && { jobs, objects, openJobs }
}

/** A page of the jobs of a kind of all keys. Rejects with `InvalidCursor` and `lookup_unavailable`. */
export async function walkJobs(
  { jobs, objects, openJobs }: KnownJobs,
  kind: JobKind,
  page: RecordWalk,
): Promise<WalkedRecords<ShownJob>> {
  if (kind === 'video') return jobs.walk(page)
  if (kind === 'response') return shown(await openJobs.walk(page), responseJob)
  return shown(await objects.walk(kind, page), batchJob)
}

/** The kinds of jobs with their pages, see `JobPages`. `undefined`: a pipeline does not share all records. */
export function jobPagesOf(shared: Partial<KnownJobs>) {
  const known = knownJobsIn(shared)
  return (
    known &&
    jobKinds.map((kind) => ({
      kind,
      states: jobStates[kind],
      walk: (page: RecordWalk) => walkJobs(known, kind, page),
    }))
  )
}

function shown<T>(
  { found, ...rest }: WalkedRecords<T>,
  show: (value: T) => ShownJob,
): WalkedRecords<ShownJob> {
  return { ...rest, found: found.map((one) => ({ ...one, value: show(one.value) })) }
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
  const { jobs, openJobs } = known
  const { keyId, signal } = named
  const id = named.id.slice(-jobIdLength)
  const video = await (keyId === undefined ? jobs.findAny(id, signal) : jobs.find(id, keyId))
  if (video) return video
  const batch = await findBatch(known, { ...named, id })
  if (batch) return batchJob(batch)
  const response = await openJobs.find(named.id, keyId, signal)
  return response && responseJob(response)
}

async function findBatch(
  { objects }: KnownJobs,
  { id, keyId, signal }: NamedJob,
): Promise<StoredObject | undefined> {
  for (const kind of batchKinds) {
    const found = await (keyId === undefined
      ? objects.findAny(kind, id, signal)
      : objects.find(kind, id, keyId))
    if (found) return found
  }
  return undefined
}

/** Calls `listener` with each job that this process creates, changes or forgets; it must not throw. `undefined`: no more. */
export function followJobs(
  { jobs, objects, openJobs }: Partial<KnownJobs>,
  listener: ((job: ShownJob, isForgotten: boolean) => void) | undefined,
): void {
  if (jobs) jobs.onChange = listener
  if (objects)
    objects.onChange =
      listener &&
      ((object, isForgotten) => {
        if (batchKinds.some((kind) => kind === object.kind)) listener(batchJob(object), isForgotten)
      })
  if (openJobs)
    openJobs.onChange =
      listener &&
      ((open, isForgotten) => {
        const end = 'status' in open ? open.status : undefined
        if (open.kind === 'response') listener(responseJob(open, end), isForgotten)
      })
}
