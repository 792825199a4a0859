import { findJob, jobReadsOf, walkFilteredJobs } from '../../admin/jobs.ts'
import { GatewayError } from '../../contract/errors.ts'
import type { Job } from '../../jobs/job.ts'
import { type Jobs, createJobs, jobsNamespace } from '../../jobs/jobs.ts'
import { openStore } from '../../stores/open.ts'
import { type Store, StoreUnavailable } from '../../stores/store.ts'
import { CommandError } from '../command.ts'
import type { CommandConfiguration } from '../command-configuration.ts'
import type { ListPage } from '../print-list.ts'
import type { JobNode } from '../remote/nodes.ts'
import { mayContainRecords, namingStore } from '../use-store.ts'

/** Records of jobs are read whole, with their prompts. */
const perRead = 50

/** The jobs in a store. Damaged ones count as unknown. */
export function jobsIn(store: Store): Jobs {
  const log = { error() {}, warn() {} }
  return createJobs({ records: store.records<Job>(jobsNamespace, { listed: true }), log })
}

/** The jobs of a store: of each key the newest first. Rejects with `StoreUnavailable`. */
export async function* storedJobs(
  configuration: CommandConfiguration,
  filter: Parameters<typeof walkFilteredJobs>[1],
): AsyncGenerator<ListPage<JobNode>> {
  if (!mayContainRecords(configuration)) return
  const store = await openStore(configuration.settings.store, { cwd: configuration.storeBase })
  try {
    const jobs = jobsIn(store)
    let cursor: string | undefined
    do {
      const part = { cursor, limit: jobReadsOf(filter) ?? perRead }
      const { nodes, next } = await answered(walkFilteredJobs(jobs, filter, part))
      yield { nodes: nodes.map(({ node }) => jobNode(node)), isLast: next === undefined }
      cursor = next
    } while (cursor !== undefined)
  } catch (error) {
    throw namingStore(error, configuration.settings.store)
  } finally {
    await store.close()
  }
}

/** The job of an id. Rejects with `CommandError` if there is none, with `StoreUnavailable` if the store fails. */
export async function requireJob(
  jobs: Jobs,
  named: { readonly id: string; readonly keyId: string | undefined },
): Promise<Job> {
  const job = await answered(findJob(jobs, named))
  if (job) return job
  throw noJob(named.id)
}

/** There is no such job. */
export function noJob(id: string): CommandError {
  return new CommandError(`There is no job "${id}".`)
}

/** The messages of look-ups are for clients, but a look-up that fails is no defect. */
async function answered<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (cause) {
    const reason = GatewayError.isInstance(cause) ? cause.cause : undefined
    if (reason instanceof StoreUnavailable) throw reason
    throw GatewayError.isInstance(cause) ? new CommandError(cause.message, { cause }) : cause
  }
}

const states = {
  queued: 'QUEUED',
  in_progress: 'IN_PROGRESS',
  completed: 'COMPLETED',
  failed: 'FAILED',
} as const

/** A job as the admin API shows it. */
export function jobNode(job: Job): JobNode {
  const { id, kind, status, progress, keyId, accountId, upstreamId, dialect, model, error } = job
  return {
    id,
    kind,
    state: states[status],
    progress,
    keyId,
    accountId,
    upstreamId,
    dialect,
    model,
    error: error ? { code: error.code, message: error.message } : null,
    createdAt: isoTime(job.createdAt),
    completedAt: job.completedAt === undefined ? null : isoTime(job.completedAt),
    expiresAt: isoTime(job.expiresAt),
  }
}

function isoTime(seconds: number): string {
  return new Date(seconds * 1_000).toISOString()
}
