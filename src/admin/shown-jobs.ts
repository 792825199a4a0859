import type { Job } from '../jobs/job.ts'
import type { StoredObject } from '../jobs/objects.ts'
import type { JsonObject } from '../lib/json/object.ts'
import { numberAt, objectAt, stringAt, tokensAt } from '../lib/json/read.ts'

/** The requests of a batch. */
export interface JobCounts {
  readonly total: number
  readonly completed: number
  readonly failed: number
}

/** Work of an account that outlasts its call, as operators see it: a video or a batch. */
export interface ShownJob extends Pick<
  Job,
  'id' | 'keyId' | 'accountId' | 'dialect' | 'model' | 'upstreamId' | 'createdAt' | 'progress'
> {
  readonly kind: Job['kind'] | BatchKind
  readonly status: Job['status'] | 'cancelled'
  readonly completedAt?: number | undefined
  /** Absent: its record stays. */
  readonly expiresAt?: number | undefined
  readonly error?: Job['error']
  /** Absent: a video, or its account does not say. */
  readonly counts?: JobCounts | undefined
}

/** The kinds of objects that are batches. */
export const batchKinds = ['batch', 'message-batch'] as const

/** One of these kinds. */
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
