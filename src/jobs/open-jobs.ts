import type { Outcome } from '../contract/outcome.ts'
import type { Spend } from '../contract/spend.ts'
import { isObject } from '../lib/json/object.ts'
import { storedSizeOf } from '../kit/stored-size.ts'
import { recordIdOf } from '../stores/record-id.ts'
import { createRetryQueue } from '../stores/retry-queue.ts'
import type { Records } from '../stores/store.ts'

/** How long a job may run before its estimate is charged, in milliseconds. */
export const longestOpenMs = 86_400_000

/** What a job will use, as far as its order says. */
interface JobEstimate {
  readonly inputTokens: number
  readonly outputTokens: number
  /** In nano-dollars. Absent: its account has no price for it. */
  readonly cost?: number
}

/** Work that an account does after its answer, and whose use is known at its end: a video, a response in the background. */
export interface OpenJob {
  /** Unique, and its name in the ledger: the id of a video; of a response `responseJobId`. */
  readonly id: string
  readonly kind: 'video' | 'response'
  readonly keyId: string
  readonly team?: string
  readonly accountId: string
  readonly dialect: string
  readonly model: string
  /** Without secrets. */
  readonly shownModel?: string
  readonly upstreamModel: string
  /** In seconds since 1970. */
  readonly createdAt: number
  readonly estimate: JobEstimate
}

/** An open job that is over now. */
export interface EndedJob extends OpenJob {
  readonly status: Outcome['status']
  /** In seconds since 1970. Absent: it is not known. */
  readonly completedAt?: number
}

/** The name by which clients ask for a job. */
export interface JobName extends Pick<OpenJob, 'kind' | 'keyId'> {
  /** Of a video the gateway's id, of a response the account's. */
  readonly id: string
}

/** The end of a job: its usage and its final state. */
interface JobEnd {
  readonly status: Outcome['status']
  readonly completedAt?: number | undefined
  readonly spend: Spend
}

/** The jobs whose use is not known yet, in a store. Each of them ends once, in one of the processes on the store. */
export interface OpenJobs {
  /** Stores a job. Never rejects: a write that fails is retried. */
  open(name: JobName, job: OpenJob): Promise<void>
  /** Ends a job if it is open. Never rejects: one that the store does not end now ends with its estimate. */
  end(name: JobName, endOf: (job: OpenJob) => JobEnd): Promise<void>
  /** Ends the jobs that have been open for too long, with their estimates. Never rejects. */
  expire(): Promise<void>
  /** Calls `listener` with each job that this process ends; it must not throw. */
  onEnd(listener: (job: EndedJob, spend: Spend) => void): void
  /** Tries once more to write the jobs that wait. */
  close(): Promise<void>
}

/** Options of `createOpenJobs`. */
interface OpenJobsOptions {
  /** Records that are opened with `listed`. */
  readonly records: Records<OpenJob>
  /** Milliseconds since 1970. */
  readonly now?: (() => number) | undefined
}

/** The namespace of the records of open jobs. */
export const openJobsNamespace = 'open-jobs'

/** No process may run when a job should expire. */
const storedMs = 30 * longestOpenMs

/** The records in one read. */
const batch = 200

export function createOpenJobs({ records, now = Date.now }: OpenJobsOptions): OpenJobs {
  const waiting = createRetryQueue<readonly [key: string, job: OpenJob]>({
    write: ([key, job]) => records.set(key, job, { ttlMs: storedMs }),
    // What it holds expires, and is charged.
    onLost: () => {},
  })
  /** A job may end before its record is written. */
  const writing = new Map<string, Promise<unknown>>()
  const listeners: ((job: EndedJob, spend: Spend) => void)[] = []

  function ended(job: OpenJob, { status, completedAt, spend }: JobEnd): void {
    const end = { ...job, status, ...(completedAt !== undefined && { completedAt }) }
    for (const listener of listeners) listener(end, spend)
  }

  /** The process that deletes the record is the one that ends the job. */
  async function take(key: string): Promise<OpenJob | undefined> {
    await writing.get(key)
    const unwritten = waiting.delete(key)
    if (unwritten) return unwritten[1]
    const job = await records.get(key)
    return isOpenJob(job) && (await records.delete(key)) ? job : undefined
  }

  async function expireAll(): Promise<void> {
    let after: string | undefined
    for (;;) {
      const page = await records.list({ limit: batch, ...(after !== undefined && { after }) })
      for (const { id, value } of page) {
        if (!isOpenJob(value) || value.createdAt * 1_000 + longestOpenMs > now()) continue
        const job = await take(id)
        if (job) ended(job, { status: 'incomplete', spend: estimatedSpend(job) })
      }
      after = page.at(-1)?.id
      if (page.length < batch) return
    }
  }

  return {
    async open(name, job) {
      const key = keyOf(name)
      const written = records.set(key, job, { ttlMs: storedMs }).catch(() => {
        waiting.put(key, [key, job], storedSizeOf(job))
      })
      writing.set(key, written)
      await written
      writing.delete(key)
    },
    async end(name, endOf) {
      const job = await take(keyOf(name)).catch(() => undefined)
      if (job) ended(job, endOf(job))
    },
    expire: () => expireAll().catch(() => {}),
    onEnd: (listener) => void listeners.push(listener),
    close: () => waiting.close(),
  }
}

/** The spend of a job that says nothing of its use, or is not asked for it. */
export function estimatedSpend({ kind, estimate }: Pick<OpenJob, 'kind' | 'estimate'>): Spend {
  const { inputTokens, outputTokens, cost = 'no_price' } = estimate
  // The text of its order is no token of a video.
  return { usage: 'estimated', tokens: kind === 'video' ? {} : { inputTokens, outputTokens }, cost }
}

function keyOf({ kind, keyId, id }: JobName): string {
  return recordIdOf([kind, keyId], id)
}

/** Another program may have written the record. */
function isOpenJob(record: unknown): record is OpenJob {
  if (!isObject(record) || !isObject(record['estimate'])) return false
  const { id, keyId, accountId, dialect, model, upstreamModel, createdAt } = record
  const { inputTokens, outputTokens, cost = 0 } = record['estimate']
  return (
    [id, keyId, accountId, dialect, model, upstreamModel].every((one) => typeof one === 'string') &&
    [createdAt, inputTokens, outputTokens, cost].every(Number.isSafeInteger)
  )
}
