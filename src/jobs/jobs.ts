import type { Log } from '../lib/log.ts'
import type { Records } from '../stores/store.ts'
import { type RecordWalk, type WalkedRecords, findAnyRecord, walkRecords } from './all-records.ts'
import { isJobId, mirrored } from './ids.ts'
import { type Job, isOver, longestJobSeconds } from './job.ts'
import { type RecordPage, createOwnedRecords, orUnavailable } from './owned-records.ts'
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
  walk(page: RecordWalk): Promise<WalkedRecords<Job>>
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
export type JobPage = RecordPage

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

export function createJobs({ records, log, now = Date.now }: JobsOptions): Jobs {
  const ended: ((job: Job) => void)[] = []
  const owned = createOwnedRecords<Job>({
    records,
    log,
    now,
    noun: 'Jobs',
    ownerOf: ({ keyId }) => [keyId],
    read: createRecordReader(log, now),
    keptMs: () => longestKeptMs,
    // No job changes after its end.
    changed(job, isForgotten) {
      jobs.onChange?.(job, isForgotten)
      if (isOver(job) && !isForgotten) for (const listener of ended) listener(job)
    },
  })
  const { readLive } = owned

  const jobs: Jobs = {
    create: (job) => owned.create(job),
    find: (id, keyId) => owned.find(id, [keyId]),
    update: (job, change) => owned.update(job, change),
    async list(keyId, page) {
      const { values, hasMore } = await owned.list([keyId], page)
      return { jobs: values, hasMore }
    },
    walk(page) {
      const walked = walkRecords({ records, readLive }, page)
      return orUnavailable(walked, 'Jobs')
    },
    async findAny(id, signal) {
      if (!isJobId(id)) return undefined
      const unwritten = owned.unwritten(id)
      if (unwritten) return unwritten.expiresAt * 1_000 > now() ? unwritten : undefined
      return orUnavailable(findAnyRecord({ records, readLive }, mirrored(id), signal), 'Jobs')
    },
    async remove(job) {
      await owned.remove(job)
    },
    onChange: undefined,
    onEnd: (listener) => void ended.push(listener),
    lookupFailed: createLookupFailureLog(log, now),
    reads: createSharedReads(),
    get waiting() {
      return owned.waiting
    },
    close: () => owned.close(),
  }
  return jobs
}
