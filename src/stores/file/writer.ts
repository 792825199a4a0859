import { Worker } from 'node:worker_threads'

import { deadline } from '../../lib/deadline.ts'
import { StoreUnavailable, storeDeadlineMs } from '../store.ts'
import type { WriteOperation, WriteResult } from './operations.ts'
import type { WriterReply } from './writer-thread.ts'

/** Writes to a file store on a worker thread, so that a slow disk never blocks the event loop. */
export interface Writer {
  /** Resolves when the write survives the end of this process. Rejects with `StoreUnavailable`. */
  write(operation: WriteOperation): Promise<WriteResult>
  /** Waits for pending writes and ends the thread. */
  close(): Promise<void>
}

interface PendingWrite {
  readonly operation: WriteOperation
  /** Milliseconds of `performance.now()`. */
  readonly since: number
  resolve(result: WriteResult): void
  reject(error: StoreUnavailable): void
}

/** The time that a busy machine may take to start a thread, in milliseconds. */
const startMs = 10_000

/** The maximum of pending writes: a blocked disk must not fill the memory. */
const maxPending = 50_000

/** The thread makes few objects that die young: by default V8 would keep 48 MB for them. */
const youngMb = 4

const script = import.meta.url.endsWith('.ts') ? './writer-thread.ts' : './writer-thread.js'

/**
 * Writes in batches: the next batch fills while one is committed, so that many writes share a
 * commit under load. A single write does not wait. The thread starts with the first write.
 */
export function createWriter(directory: string, deadlineMs: number = storeDeadlineMs): Writer {
  let thread: Worker | undefined
  let next: PendingWrite[] = []
  let committing: PendingWrite[] | undefined
  let scheduled = false
  let closed = false
  let cancelDeadline: (() => void) | undefined
  /** The time at which the thread was ready. Deadlines do not begin before. */
  let readySince = Infinity

  function start(): Worker {
    const worker = new Worker(new URL(script, import.meta.url), {
      workerData: { directory },
      resourceLimits: { maxYoungGenerationSizeMb: youngMb },
    })
    worker.on('message', (message: string) => {
      if (message === 'ready') readySince = performance.now()
      else settle(JSON.parse(message) as WriterReply)
    })
    worker.on('error', (error: Error) => failAll(error))
    worker.on('exit', () => failAll(new Error('the writer thread ended')))
    return worker
  }

  function send(): void {
    scheduled = false
    if (committing || next.length === 0) return
    committing = next
    next = []
    thread ??= start()
    thread.ref()
    // As text, which is faster than structured clones.
    thread.postMessage(JSON.stringify(committing.map(({ operation }) => operation)))
  }

  /** Sends a batch at the end of this turn. Writes during a commit wait for the next batch. */
  function schedule(): void {
    if (scheduled || committing) return
    scheduled = true
    setImmediate(send)
  }

  function settle(outcome: WriterReply): void {
    const done = committing ?? []
    committing = undefined
    if ('failure' in outcome) rejectAll(done, outcome.failure)
    else done.forEach((one, index) => one.resolve(outcome.results[index] as WriteResult))
    if (next.length > 0) schedule()
    else {
      thread?.unref()
      cancelDeadline?.()
      cancelDeadline = undefined
    }
  }

  /** Rejects all pending writes. The next write starts another thread. */
  function failAll(error: Error): void {
    thread = undefined
    readySince = Infinity
    const lost = [...(committing ?? []), ...next]
    committing = undefined
    next = []
    rejectAll(lost, error.message)
  }

  function isBusy(): boolean {
    return committing !== undefined || next.length > 0
  }

  /** Ends a thread that does not respond. The next write starts another one. */
  function abandon(): void {
    const stuck = thread
    failAll(new Error('the write timed out'))
    stuck?.removeAllListeners()
    void stuck?.terminate()
  }

  /** One timer for all writes: it rejects those that have waited too long. */
  function watchDeadlines(): void {
    const end = () => {
      cancelDeadline = undefined
      const now = performance.now()
      const isLate = ({ since }: PendingWrite) =>
        now - since >= startMs || now - Math.max(since, readySince) >= deadlineMs
      rejectAll([...(committing ?? []), ...next].filter(isLate), 'the write timed out')
      next = next.filter((one) => !isLate(one))
      // A batch that is stuck must not delay later writes any longer.
      if (committing?.every(isLate)) abandon()
      if (committing || next.length > 0) watchDeadlines()
    }
    cancelDeadline ??= deadline(deadlineMs, end, { unref: true })
  }

  return {
    write(operation) {
      if (closed) return Promise.reject(new StoreUnavailable('The store has been closed.'))
      if (next.length >= maxPending) {
        return Promise.reject(new StoreUnavailable('The store has too many pending writes.'))
      }
      return new Promise((resolve, reject) => {
        next.push({ operation, since: performance.now(), resolve, reject })
        watchDeadlines()
        schedule()
      })
    },
    async close() {
      if (closed) return
      closed = true
      send()
      // Every write ends by its deadline at the latest.
      while (isBusy()) await pause(1)
      const worker = thread
      if (!worker) return
      worker.ref()
      const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
      worker.postMessage('close')
      await ended
    },
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

function rejectAll(writes: readonly PendingWrite[], reason: string): void {
  for (const one of writes) one.reject(new StoreUnavailable(`The store failed: ${reason}.`))
}
