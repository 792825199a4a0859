import { GatewayError } from '../contract/errors.ts'
import type { Log } from '../lib/log.ts'
import { createRetryQueue } from '../stores/retry-queue.ts'
import type { Records } from '../stores/store.ts'
import { isJobId, mirrored } from './ids.ts'
import type { Job } from './job.ts'
import { type SharedReads, createSharedReads } from './shared-reads.ts'
import { createLookupFailureLog } from './lookup-failures.ts'

/** Jobs over a store, each under the key that asked for it. */
export interface Jobs {
  /**
   * Keeps a job that an account has taken. Never rejects: the account is at work, so what the store
   * does not take now is held here and written as soon as it does.
   */
  create(job: Job): Promise<void>
  /**
   * `undefined` for what never was, has expired, or is another key's. Rejects with
   * `lookup_unavailable` where the store cannot tell.
   */
  find(id: string, keyId: string): Promise<Job | undefined>
  /**
   * Changes the job as it stands then, whoever else does the same: `change` may be called again, and
   * answers the same object to leave it alone. The job as it stands in the end; `undefined` where it
   * is gone. Rejects as `find` does.
   */
  update(job: Job, change: (known: Job) => Job): Promise<Job | undefined>
  list(keyId: string, page: JobPage): Promise<JobList>
  remove(job: Job): Promise<void>
  /** Its account did not tell how it stands, or what it has made: operators are told, now and then. */
  lookupFailed(job: Job, error: unknown): void
  readonly reads: SharedReads
  /** How many are held here until the store takes them. */
  readonly waiting: number
  /** Tries once more to write what waits. */
  close(): Promise<void>
}

export interface JobPage {
  /** The id before the page, which may be gone by now. */
  readonly after?: string | undefined
  readonly limit: number
  /** By the time of their creation: `desc` is newest first. */
  readonly order: 'asc' | 'desc'
}

export interface JobList {
  readonly jobs: readonly Job[]
  readonly hasMore: boolean
}

export interface JobsOptions {
  /** Opened as `listed`. */
  readonly records: Records<Job>
  readonly log: Pick<Log, 'error' | 'warn'>
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

/** The name of the namespace. */
export const jobsNamespace = 'jobs'

/** What nobody asks for any more leaves the store by itself, however late its account says it ends. */
const longestKeptMs = 30 * 24 * 60 * 60_000

/** How many records are read at once. */
const batch = 200

export function createJobs({ records, log, now = Date.now }: JobsOptions): Jobs {
  const waiting = createRetryQueue<Job>({
    write: (job) => records.set(keyOf(job), job, { ttlMs: longestKeptMs }),
    onLost: ({ id, accountId }) =>
      log.error('a job is lost: its owner will not find it', { id, account: accountId }),
  })
  const isLive = ({ expiresAt }: Job) => expiresAt * 1_000 > now()

  async function read(id: string, keyId: string): Promise<Job | undefined> {
    const job = waiting.get(id) ?? (await told(records.get(keyOf({ id, keyId }))))
    return job?.keyId === keyId ? job : undefined
  }

  /** Live jobs in the order of their keys, newest first, from the first one after `from`. */
  async function* newestFirst(keyId: string, from: string): AsyncGenerator<Job> {
    let after = from
    for (;;) {
      const entries = await told(records.list({ after, limit: batch }))
      for (const { id, value } of entries) {
        if (!id.startsWith(`${keyId} `)) return
        if (isLive(value)) yield value
      }
      const last = entries.at(-1)
      if (!last || entries.length < batch) return
      after = last.id
    }
  }

  return {
    async create(job) {
      try {
        await records.set(keyOf(job), job, { ttlMs: longestKeptMs })
      } catch (error) {
        log.error('a job could not be written; it is tried again', {
          id: job.id,
          account: job.accountId,
          error: String(error),
        })
        waiting.put(job.id, job)
      }
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
        if (next !== unwritten) waiting.put(job.id, next)
        return next
      }
      return told(
        records.update(keyOf(job), (known) => {
          const next = change(known)
          return next === known ? undefined : next
        }),
      )
    },
    async list(keyId, { after, limit, order }) {
      const wanted = limit + 1
      const found: Job[] = []
      const start = `${keyId} `
      if (order === 'desc') {
        const from = after === undefined ? start : keyOf({ id: after, keyId })
        for await (const job of newestFirst(keyId, from)) {
          if (found.push(job) === wanted) break
        }
      } else {
        // The store reads one way only: the oldest are the last of all.
        for await (const job of newestFirst(keyId, start)) {
          if (after !== undefined && job.id <= after) break
          found.unshift(job)
          if (found.length > wanted) found.pop()
        }
      }
      return { jobs: found.slice(0, limit), hasMore: found.length > limit }
    },
    async remove(job) {
      waiting.delete(job.id)
      await told(records.delete(keyOf(job)))
    },
    lookupFailed: createLookupFailureLog(log, now),
    reads: createSharedReads(),
    get waiting() {
      return waiting.size
    },
    close: () => waiting.close(),
  }
}

/** Ids of keys hold no space. Newest first, as lists are asked for nearly always. */
function keyOf({ id, keyId }: Pick<Job, 'id' | 'keyId'>): string {
  return `${keyId} ${mirrored(id)}`
}

/** A store that cannot tell is no answer about the job. */
async function told<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (cause) {
    throw new GatewayError('lookup_unavailable', 'Jobs cannot be looked up at the moment.', {
      headers: { 'retry-after-ms': '250' },
      cause,
    })
  }
}
