import type { Outcome } from '../contract/outcome.ts'
import type { JsonObject } from '../lib/json/object.ts'
import { numberAt, objectAt, stringAt, tokensAt } from '../lib/json/read.ts'
import type { Job } from './job.ts'
import type { StoredObject } from './objects.ts'
import type { OpenJob } from './open-jobs.ts'

/** The requests of a batch. */
export interface JobCounts {
  readonly total: number
  readonly completed: number
  readonly failed: number
}

/**
 * The kinds of jobs, each with the states that its records have. The record of a response in the background exists until its
 * end, the record of a batch has the state that its client has last seen.
 */
export const jobStates = {
  video: ['queued', 'in_progress', 'completed', 'failed'],
  batch: ['queued', 'in_progress', 'completed', 'failed', 'cancelled'],
  'message-batch': ['in_progress', 'completed', 'cancelled'],
  response: ['in_progress'],
} as const satisfies Readonly<Record<string, readonly ShownJob['status'][]>>

/** A kind of job. */
export type JobKind = keyof typeof jobStates

/** The kinds of jobs, in the order of lists. */
export const jobKinds = Object.keys(jobStates) as [JobKind, ...JobKind[]]

/** Work of an account that outlasts its call, as operators see it: a video, a batch, or a response in the background. */
export interface ShownJob extends Pick<
  Job,
  'id' | 'keyId' | 'accountId' | 'dialect' | 'model' | 'upstreamId' | 'createdAt' | 'progress'
> {
  readonly kind: JobKind
  readonly status: Job['status'] | 'cancelled'
  readonly completedAt?: number | undefined
  /** Absent: its record does not expire. */
  readonly expiresAt?: number | undefined
  readonly error?: Job['error']
  readonly withheld?: Job['withheld']
  /** Absent: no batch, or its account does not say. */
  readonly counts?: JobCounts | undefined
}

/** The kinds of objects that are batches. */
export const batchKinds = ['batch', 'message-batch'] as const

/** A kind of batch. */
export type BatchKind = (typeof batchKinds)[number]

/** A batch as operators see it. `shown`: as its account describes it. */
export function batchJob(batch: StoredObject, shown: JsonObject = batch.shown): ShownJob {
  const { id, keyId, accountId, dialect, upstreamId, createdAt, expiresAt, work } = batch
  const status = statusOf(shown)
  const counts = countsIn(objectAt(shown, 'request_counts'))
  return {
    id,
    kind: batch.kind as BatchKind,
    keyId,
    accountId,
    dialect,
    upstreamId,
    createdAt,
    model: work?.models[0]?.model ?? '',
    status,
    progress: progressOf(status, counts),
    completedAt: endOf(shown),
    expiresAt,
    counts,
  }
}

/** A response in the background as operators see it; its id is the account's, which clients know. `end`: how it has ended. */
export function responseJob(open: OpenJob, end?: Outcome['status']): ShownJob {
  const { id, keyId, accountId, dialect, upstreamId = id, createdAt, model, shownModel } = open
  const isWhole = end === 'completed'
  return {
    id: upstreamId,
    kind: 'response',
    keyId,
    accountId,
    dialect,
    upstreamId,
    createdAt,
    model: shownModel ?? model,
    status: end === undefined ? 'in_progress' : end === 'incomplete' ? 'failed' : end,
    progress: isWhole ? 100 : 0,
    ...(end === 'incomplete' && { error: { code: end, message: 'The response is incomplete.' } }),
  }
}

/** The words of OpenAI, and of Anthropic. Others go on. */
const statuses: Readonly<Record<string, ShownJob['status']>> = {
  validating: 'queued',
  completed: 'completed',
  ended: 'completed',
  failed: 'failed',
  expired: 'failed',
  cancelled: 'cancelled',
}

function statusOf(shown: JsonObject): ShownJob['status'] {
  const word = stringAt(shown, 'status') ?? stringAt(shown, 'processing_status') ?? ''
  const status = Object.hasOwn(statuses, word) ? statuses[word]! : 'in_progress'
  const isCancelled = word === 'ended' && typeof shown['cancel_initiated_at'] === 'string'
  return isCancelled ? 'cancelled' : status
}

function countsIn(counts: JsonObject | undefined): JobCounts | undefined {
  const total = tokensAt(counts, 'total')
  if (total !== undefined)
    return {
      total,
      completed: tokensAt(counts, 'completed') ?? 0,
      failed: tokensAt(counts, 'failed') ?? 0,
    }
  const completed = tokensAt(counts, 'succeeded')
  if (completed === undefined) return undefined
  const sum = (...names: string[]) =>
    names.reduce((all, name) => all + (tokensAt(counts, name) ?? 0), 0)
  const failed = sum('errored', 'canceled', 'expired')
  return { total: completed + failed + sum('processing'), completed, failed }
}

function progressOf(status: ShownJob['status'], counts: JobCounts | undefined): number {
  if (status === 'completed') return 100
  if (!counts || counts.total === 0) return 0
  return Math.min(100, Math.floor((100 * (counts.completed + counts.failed)) / counts.total))
}

/** In seconds since 1970. */
function endOf(shown: JsonObject): number | undefined {
  for (const name of ['completed_at', 'failed_at', 'cancelled_at', 'expired_at']) {
    const time = numberAt(shown, name)
    if (Number.isSafeInteger(time)) return time
  }
  const ended = Date.parse(stringAt(shown, 'ended_at') ?? '')
  return Number.isNaN(ended) ? undefined : Math.floor(ended / 1_000)
}
