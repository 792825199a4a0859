import type { Log } from '../lib/log.ts'
import { isTraceparent } from '../lib/traceparent.ts'
import { wholeSeconds } from '../lib/time.ts'
import { isJobId } from './ids.ts'
import { type Job, expiryOf, jobSeconds } from './job.ts'
import { objectOf, readStoredState, textOf } from './sanitize-state.ts'

/** The minimum time between two log lines, in milliseconds. */
const everyMs = 60_000

/** Reads a record; `undefined` if it is no job. */
type ReadRecord = (record: unknown, key: string) => Job | undefined

/**
 * Returns a reader of records, which an older version or another program may have written. A record
 * that is no job is skipped and logged, at most once a minute, so that it hides no other job.
 */
export function createRecordReader(log: Pick<Log, 'warn'>, now: () => number): ReadRecord {
  let loggedAt = -Infinity
  return (record, key) => {
    const job = jobIn(record)
    if (!job && now() - loggedAt >= everyMs) {
      loggedAt = now()
      log.warn('a record in the store is no job; it is skipped', { key })
    }
    return job
  }
}

/** The job in a record, in the types of `Job`; `undefined` without an owner, an account or a time. */
function jobIn(record: unknown): Job | undefined {
  const found = objectOf(record)
  if (!found) return undefined
  const text = (name: string) => textOf(found[name])
  const [id, keyId, accountId, dialect] = ['id', 'keyId', 'accountId', 'dialect'].map(text)
  const [model, upstreamId] = ['model', 'upstreamId'].map(text)
  const createdAt = wholeSeconds(found['createdAt'])
  if (!id || !isJobId(id) || !keyId || !accountId || !dialect) return undefined
  if (!model || !upstreamId || createdAt === undefined) return undefined
  const { progress = 0, seconds = '', size = '', ...state } = readStoredState(found)
  const upstreamModel = text('upstreamModel')
  const remixedFrom = text('remixedFrom')
  const trace = text('trace')
  const team = text('team')
  const shownModel = text('shownModel')
  return {
    id,
    kind: 'video',
    keyId,
    ...(team !== undefined && { team }),
    accountId,
    dialect,
    model,
    ...(shownModel !== undefined && { shownModel }),
    requested: text('requested') ?? model,
    upstreamId,
    progress,
    createdAt,
    prompt: text('prompt') ?? '',
    seconds,
    size,
    ...(upstreamModel !== undefined && { upstreamModel }),
    ...(remixedFrom !== undefined && { remixedFrom }),
    ...(isTraceparent(trace) && { trace }),
    ...state,
    expiresAt: expiryOf(createdAt, state.expiresAt, createdAt + jobSeconds),
  }
}
