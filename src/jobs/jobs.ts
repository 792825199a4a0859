import { GatewayError } from '../contract/errors.ts'
import type { Log } from '../lib/log.ts'
import { storedSizeOf } from '../kit/stored-size.ts'
import { createRetryQueue } from '../stores/retry-queue.ts'
import { recordIdOf, recordPrefixOf } from '../stores/record-id.ts'
import { InvalidCursor, type Records } from '../stores/store.ts'
import { type JobWalk, type WalkedJobs, findAnyJob, walkJobs } from './all-jobs.ts'
import { isJobId, mirrored } from './ids.ts'
import { type Job, isOver, longestJobSeconds } from './job.ts'
import { createRecordReader } from './read-record.ts'
import { type SharedReads, createSharedReads } from './shared-reads.ts'
import { createLookupFailureLog } from './lookup-failures.ts'

/** The jobs in a store, each under the API key that created it. */
export interface Jobs {
  /**
   * Stores a job that an account has accepted. Never rejects: a write that fails is queued in memory and
   * retried, because the account works on the job already.
   */
  create(job: Job): Promise<void>
  /**
   * `undefined` for an unknown or expired job, or one of another key. Rejects with
   * `lookup_unavailable` if the store does not answer.
   */
  find(id: string, keyId: string): Promise<Job | undefined>
  /**
   * Changes the stored job, also while others change it: `change` may be called several times, and
   * returns the same object for no change. Resolves to the stored job, or `undefined` if it does not
   * exist any more. Rejects as `find` does.
   */
  update(job: Job, change: (known: Job) => Job): Promise<Job | undefined>
  /** A page of the key's jobs that have not expired. Rejects as `find` does. */
  list(keyId: string, page: JobPage): Promise<JobList>
  /** A page of the stored jobs of all keys that have not expired. Rejects with `InvalidCursor` and as `find` does. */
  walk(page: JobWalk): Promise<WalkedJobs>
  /** A job of any key. Rejects as `find` does, also if too many keys have jobs to look for it. */
  findAny(id: string, signal?: AbortSignal): Promise<Job | undefined>
  /** Rejects as `find` does. */
  remove(job: Job): Promise<void>
  /**
   * Called with each job that this process creates, changes or removes in the store; must not throw. Set
   * while an operator follows jobs.
   */
  onChange: ((job: Job, isForgotten: boolean) => void) | undefined
  /**
   * Calls `listener` with each job whose end this process learns; it must not throw. Two processes may learn of the same
   * end at once: `OpenJobs` ends a job once.
   */
  onEnd(listener: (job: Job) => void): void
  /** Logs that looking up a job at its account failed, at most once a minute for each account. */
  lookupFailed(job: Job, error: unknown): void
  /** Reads of large results, shared between exchanges. */
  readonly reads: SharedReads
  /** The number of jobs that are queued for the store. */
  readonly waiting: number
  /** Tries once more to write the queued jobs. */
  close(): Promise<void>
}

/** A page of a list of jobs. */
export interface JobPage {
  /** The id before the page. Its job may not exist any more. */
  readonly after?: string | undefined
  readonly limit: number
  /** By the time of their creation: `desc` is newest first. */
  readonly order: 'asc' | 'desc'
}

/** The jobs of a page. */
interface JobList {
  readonly jobs: readonly Job[]
  readonly hasMore: boolean
}

/** The options of `createJobs`. */
interface JobsOptions {
  /** Records that are opened with `listed`. */
  readonly records: Records<Job>
  readonly log: Pick<Log, 'error' | 'warn'>
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

/** The namespace of the records of jobs. */
export const jobsNamespace = 'jobs'

const longestKeptMs = longestJobSeconds * 1_000

/** The number of records in one read. */
const batch = 200

export function createJobs({ records, log, now = Date.now }: JobsOptions): Jobs {
  const waiting = createRetryQueue<Job>({
    write: (job) => records.set(keyOf(job), job, { ttlMs: longestKeptMs }),
    onLost: ({ id, accountId }) =>
      log.error('a job is lost: its owner will not find it', { id, account: accountId }),
  })
  const readRecord = createRecordReader(log, now)
  const isLive = ({ expiresAt }: Job) => expiresAt * 1_000 > now()

  const readLive = (record: unknown, key: string) => {
    const job = readRecord(record, key)
    return job && isLive(job) ? job : undefined
  }

  async function read(id: string, keyId: string): Promise<Job | undefined> {
    const key = keyOf({ id, keyId })
    const job = waiting.get(id) ?? readIfAny(await orUnavailable(records.get(key)), key)
    return job?.keyId === keyId ? job : undefined
  }

  function readIfAny(record: unknown, key: string): Job | undefined {
    return record === undefined ? undefined : readRecord(record, key)
  }

  /** Live jobs in the order of their keys, newest first, from the first one after `from`. */
  async function* newestFirst(keyId: string, from: string): AsyncGenerator<Job> {
    const prefix = recordPrefixOf([keyId])
    let after = from
    for (;;) {
      const entries = await orUnavailable(records.list({ after, limit: batch }))
      for (const { id, value } of entries) {
        if (!id.startsWith(prefix)) return
        const job = readLive(value, id)
        if (job) yield job
      }
      const last = entries.at(-1)
      if (!last || entries.length < batch) return
      after = last.id
    }
  }

  const ended: ((job: Job) => void)[] = []

  /** No job changes after its end. */
  function changed(job: Job): void {
    jobs.onChange?.(job, false)
    if (isOver(job)) for (const listener of ended) listener(job)
  }

  const jobs: Jobs = {
    async create(job) {
      try {
        await records.set(keyOf(job), job, { ttlMs: longestKeptMs })
      } catch (error) {
        log.error('writing a job failed; it will be retried', {
          id: job.id,
          account: job.accountId,
          error: String(error),
        })
        waiting.put(job.id, job, storedSizeOf(job))
      }
      changed(job)
    },
    async find(id, keyId) {
      if (!isJobId(id)) return undefined
      const job = await read(id, keyId)
      return job && isLive(job) ? job : undefined
    },
    async update(job, change) {
      const unwritten = waiting.get(job.id)
      if (unwritten) {
        const next = change(unwritten)
        if (next === unwritten) return next
        waiting.put(job.id, next, storedSizeOf(next))
        changed(next)
        return next
      }
      const key = keyOf(job)
      let written: Job | undefined
      const stored = await orUnavailable(
        records.update(key, (record) => {
          const known = readRecord(record, key)
          const next = known && change(known)
          return (written = next === known ? undefined : next)
        }),
      )
      if (written && stored) changed(written)
      return readIfAny(stored, key)
    },
    async list(keyId, { after, limit, order }) {
      const wanted = limit + 1
      const found: Job[] = []
      const start = recordPrefixOf([keyId])
      if (order === 'desc') {
        const from = after === undefined ? start : keyOf({ id: after, keyId })
        for await (const job of newestFirst(keyId, from)) {
          if (found.push(job) === wanted) break
        }
      } else {
        // The store lists in one direction only, so that the oldest jobs come last.
        for await (const job of newestFirst(keyId, start)) {
          if (after !== undefined && job.id <= after) break
          found.unshift(job)
          if (found.length > wanted) found.pop()
        }
      }
      return { jobs: found.slice(0, limit), hasMore: found.length > limit }
    },
    walk: (page) => orUnavailable(walkJobs({ records, readLive }, page)),
    async findAny(id, signal) {
      if (!isJobId(id)) return undefined
      const unwritten = waiting.get(id)
      if (unwritten) return isLive(unwritten) ? unwritten : undefined
      return orUnavailable(findAnyJob({ records, readLive }, id, signal))
    },
    async remove(job) {
      const isWaiting = waiting.get(job.id) !== undefined
      waiting.delete(job.id)
      const isStored = await orUnavailable(records.delete(keyOf(job)))
      if (isWaiting || isStored) jobs.onChange?.(job, true)
    },
    onChange: undefined,
    onEnd: (listener) => void ended.push(listener),
    lookupFailed: createLookupFailureLog(log, now),
    reads: createSharedReads(),
    get waiting() {
      return waiting.size
    },
    close: () => waiting.close(),
  }
  return jobs
}

/** Keys sort the newest job first, as nearly all lists do. */
function keyOf({ id, keyId }: Pick<Job, 'id' | 'keyId'>): string {
  return recordIdOf([keyId], mirrored(id))
}

/** Turns a failure of the store into `lookup_unavailable`. */
async function orUnavailable<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (cause) {
    if (GatewayError.isInstance(cause) || cause instanceof InvalidCursor) throw cause
    throw new GatewayError('lookup_unavailable', 'Jobs cannot be looked up at the moment.', {
      headers: { 'retry-after-ms': '250' },
      cause,
    })
  }
}
