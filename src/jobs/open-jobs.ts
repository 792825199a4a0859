import type { Outcome } from '../contract/outcome.ts'
import type { Spend } from '../contract/spend.ts'
import { isObject } from '../lib/json/object.ts'
import { storedSizeOf } from '../kit/stored-size.ts'
import { mostTokens } from '../kit/usage.ts'
import { recordIdOf } from '../stores/record-id.ts'
import { createRetryQueue } from '../stores/retry-queue.ts'
import type { Records } from '../stores/store.ts'
import { type RecordWalk, type WalkedRecords, findAnyRecord, walkRecords } from './all-records.ts'
import { orUnavailable } from './owned-records.ts'

/** How long a job may run before its account is asked for its end, in milliseconds. */
export const longestOpenMs = 86_400_000

/** Until when an account is asked again that does not answer, or goes on: a meter forgets what a job held a day later. */
const longestAskedMs = 1.5 * longestOpenMs

/** What a job will use, as far as its order says. */
interface JobEstimate {
  readonly inputTokens: number
  /** The tokens of the longest prompt of a batch. Absent: there is one prompt. */
  readonly longestPrompt?: number
  readonly outputTokens: number
  /** In nano-dollars. Absent: its account has no price for it. */
  readonly cost?: number
  /** The most that the order permits. Absent from older records. */
  readonly most?: { readonly outputTokens: number; readonly cost?: number }
}

/** Work that an account does after its answer, and whose use is known at its end: a video, a response in the background, a batch. */
export interface OpenJob {
  /** Unique, and its name in the ledger: the id of a video or batch; of a response `responseJobId`. */
  readonly id: string
  readonly kind: 'video' | 'response' | 'batch'
  readonly keyId: string
  readonly team?: string
  readonly accountId: string
  readonly dialect: string
  readonly model: string
  /** Without secrets. */
  readonly shownModel?: string
  readonly upstreamModel: string
  /** All platform models that it names, if it names several. Absent: `model`. */
  readonly models?: readonly string[]
  /** The account's id of a response or batch. Absent from videos, and from older records. */
  readonly upstreamId?: string
  /** In seconds since 1970. */
  readonly createdAt: number
  readonly estimate: JobEstimate
  /** An estimate of the output that clients have seen, in tokens. Absent: none. */
  readonly seenTokens?: number
}

/** An open job that is over now. */
export interface EndedJob extends OpenJob {
  readonly status: Outcome['status']
  /** In seconds since 1970. Absent: it is not known. */
  readonly completedAt?: number
}

/** The name by which clients ask for a job. */
export interface JobName extends Pick<OpenJob, 'kind' | 'keyId'> {
  /** The gateway's id of a video or batch; the account's id of a response. */
  readonly id: string
}

/** The end of a job: its usage and its final state. */
export interface JobEnd {
  readonly status: Outcome['status']
  readonly completedAt?: number | undefined
  readonly spend: Spend
}

/**
 * What an account says of a job: its end, that it runs, or that the account does not know it any more. `silent`: the
 * account does not answer.
 */
export type JobAnswer = JobEnd | 'running' | 'gone' | 'silent'

/** The jobs whose use is not known yet, in a store. Each of them ends once, in one of the processes on the store. */
export interface OpenJobs {
  /** Stores a job. Never rejects: a write that fails is retried. */
  open(name: JobName, job: OpenJob): Promise<void>
  /** Ends a job if it is open. Never rejects: one that the store does not end now expires. */
  end(name: JobName, endOf: (job: OpenJob) => JobEnd): Promise<void>
  /** Notes that a client has seen a part of the output of a job, which the job may not report. Never rejects. */
  note(name: JobName, tokens: number): Promise<void>
  /** Asks the account of a job that is open how it has ended, since it will not be able to say later. Never rejects. */
  look(name: JobName): Promise<void>
  /**
   * Ends the jobs that have been open for too long, as their accounts say; where an account cannot say it, with the most
   * that the order permits. Never rejects.
   */
  expire(): Promise<void>
  /** Sets how the account of a job is asked; `ask` must not reject. Default: no account answers. */
  askWith(ask: (job: OpenJob) => Promise<JobAnswer>): void
  /** A page of the responses of all keys that run in the background. Rejects with `InvalidCursor` and `lookup_unavailable`. */
  walk(page: RecordWalk): Promise<WalkedRecords<OpenJob>>
  /** A response that runs in the background, by the account's id. Absent key: of any. Rejects as `walk` does. */
  find(id: string, keyId?: string, signal?: AbortSignal): Promise<OpenJob | undefined>
  /** Called with each job that this process opens or ends; must not throw. Set while an operator follows jobs. */
  onChange: ((job: OpenJob | EndedJob, isForgotten: boolean) => void) | undefined
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

const noun = 'Responses in the background'

export function createOpenJobs({ records, now = Date.now }: OpenJobsOptions): OpenJobs {
  const waiting = createRetryQueue<readonly [key: string, job: OpenJob]>({
    write: ([key, job]) => records.set(key, job, { ttlMs: storedMs }),
    // What it holds expires, and is charged.
    onLost: () => {},
  })
  /** A job may end before its record is written. */
  const writing = new Map<string, Promise<unknown>>()
  const listeners: ((job: EndedJob, spend: Spend) => void)[] = []
  let ask: (job: OpenJob) => Promise<JobAnswer> = () => Promise.resolve('silent')
  let expiring: Promise<void> | undefined
  /** Whether all jobs were asked for once: a process may start before its network does. */
  let hasWalked = false
  let isClosed = false

  function ended(job: OpenJob, { status, completedAt, spend }: JobEnd): void {
    const end = { ...job, status, ...(completedAt !== undefined && { completedAt }) }
    for (const listener of listeners) listener(end, spend)
    openJobs.onChange?.(end, true)
  }

  /** The process that deletes the record is the one that ends the job. */
  async function take(key: string): Promise<OpenJob | undefined> {
    await writing.get(key)
    const unwritten = waiting.delete(key)
    if (unwritten) return unwritten[1]
    const job = await records.get(key)
    return isOpenJob(job) && (await records.delete(key)) ? job : undefined
  }

  async function endTaken(key: string, endOf: (job: OpenJob) => JobEnd): Promise<void> {
    const job = await take(key)
    if (job) ended(job, endOf(job))
  }

  async function expireAll(): Promise<void> {
    /** An account that is away would hold up the jobs of all others. */
    const silent = new Set<string>()
    let after: string | undefined
    for (;;) {
      const page = await records.list({ limit: batch, ...(after !== undefined && { after }) })
      for (const { id, value } of page) {
        if (isClosed) return
        if (!isOpenJob(value)) continue
        const openMs = now() - value.createdAt * 1_000
        if (openMs >= longestOpenMs) await expireJob(id, value, openMs, silent)
      }
      after = page.at(-1)?.id
      if (page.length < batch) break
    }
    hasWalked = true
  }

  /** The account is asked before the record is deleted: a process that ends meanwhile leaves the job to others. */
  async function expireJob(
    key: string,
    job: OpenJob,
    openMs: number,
    silent: Set<string>,
  ): Promise<void> {
    const answer = silent.has(job.accountId) ? 'silent' : await ask(job)
    if (answer === 'silent') silent.add(job.accountId)
    if (typeof answer === 'object') return endTaken(key, () => answer)
    const isKnown = answer === 'running' || hasWalked
    const isLast = answer === 'gone' || (isKnown && openMs >= longestAskedMs)
    if (isLast) await endTaken(key, (one) => ({ status: 'incomplete', spend: greatestSpend(one) }))
  }

  const responses = { records, readLive, kind: ['response'] }

  const openJobs: OpenJobs = {
    async open(name, job) {
      const key = keyOf(name)
      const written = records.set(key, job, { ttlMs: storedMs }).catch(() => {
        waiting.put(key, [key, job], storedSizeOf(job))
      })
      writing.set(key, written)
      await written
      writing.delete(key)
      openJobs.onChange?.(job, false)
    },
    end: (name, endOf) => endTaken(keyOf(name), endOf).catch(() => {}),
    async note(name, tokens) {
      const change = (job: OpenJob) => {
        const seenTokens = Math.min(mostTokens, (job.seenTokens ?? 0) + tokens)
        return isOpenJob(job) ? { ...job, seenTokens } : undefined
      }
      await records.update(keyOf(name), change).catch(() => undefined)
    },
    async look(name) {
      const key = keyOf(name)
      const job = waiting.get(key)?.[1] ?? (await records.get(key).catch(() => undefined))
      const answer = isOpenJob(job) && (await ask(job))
      if (typeof answer === 'object') await endTaken(key, () => answer).catch(() => {})
    },
    expire: () =>
      (expiring ??= expireAll()
        .catch(() => {})
        .finally(() => (expiring = undefined))),
    askWith: (wanted) => void (ask = wanted),
    walk: (page) => orUnavailable(walkRecords(responses, page), noun),
    async find(id, keyId, signal) {
      if (keyId === undefined)
        return orUnavailable(findAnyRecord(responses, recordIdOf([], id), signal), noun)
      return readLive(
        await orUnavailable(records.get(keyOf({ kind: 'response', keyId, id })), noun),
      )
    },
    onChange: undefined,
    onEnd: (listener) => void listeners.push(listener),
    close() {
      isClosed = true
      return waiting.close()
    },
  }
  return openJobs
}

/** The spend of a job that says nothing of its use. */
export function estimatedSpend({ kind, estimate }: Pick<OpenJob, 'kind' | 'estimate'>): Spend {
  const { inputTokens, outputTokens, cost = 'no_price' } = estimate
  // The text of its order is no token of a video.
  return { usage: 'estimated', tokens: kind === 'video' ? {} : { inputTokens, outputTokens }, cost }
}

/** The spend of a job whose account cannot say what it has used: its client may know, and never ask for its end. */
function greatestSpend(job: OpenJob): Spend {
  const { estimate } = job
  return estimatedSpend({ ...job, estimate: { ...estimate, ...estimate.most } })
}

/** The platform models that a job works with. */
export function modelsOf({ model, models = [model] }: OpenJob): readonly string[] {
  return models
}

function keyOf({ kind, keyId, id }: JobName): string {
  return recordIdOf([kind, keyId], id)
}

function readLive(record: unknown): OpenJob | undefined {
  return isOpenJob(record) ? record : undefined
}

/** Another program may have written the record. */
function isOpenJob(record: unknown): record is OpenJob {
  if (!isObject(record) || !isObject(record['estimate'])) return false
  const { id, keyId, accountId, dialect, model, upstreamModel, createdAt } = record
  const { inputTokens, outputTokens, cost = 0, most = {} } = record['estimate']
  const { outputTokens: mostOutput = 0, cost: mostCost = 0 } = isObject(most) ? most : {}
  return (
    [id, keyId, accountId, dialect, model, upstreamModel].every((one) => typeof one === 'string') &&
    (record['models'] === undefined || isNames(record['models'])) &&
    [createdAt, inputTokens, outputTokens, cost, mostOutput, mostCost].every(Number.isSafeInteger)
  )
}

function isNames(list: unknown): boolean {
  return Array.isArray(list) && list.every((name) => typeof name === 'string')
}
