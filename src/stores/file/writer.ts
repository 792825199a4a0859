import { Worker } from 'node:worker_threads'

import { StoreUnavailable, storeDeadlineMs } from '../store.ts'
import type { Operation, Result } from './operations.ts'
import type { Answer } from './writer-thread.ts'

/** Writes to a file store from a thread of its own, so that a slow disk never stops the loop. */
export interface Writer {
  /** Resolves when the write survives the death of this process. */
  write(operation: Operation): Promise<Result>
  close(): Promise<void>
}

interface Waiting {
  readonly operation: Operation
  readonly since: number
  resolve(result: Result): void
  reject(error: StoreUnavailable): void
}

/** A machine that is busy may take so long to start a thread, in milliseconds. */
const startMs = 10_000

/** A disk that takes nothing must not fill the memory. */
const mostWaiting = 50_000

const script = import.meta.url.endsWith('.ts') ? './writer-thread.ts' : './writer-thread.js'

/**
 * Gathers writes: while one batch is being committed the next one fills, so that under load many
 * writes share a commit, and a single one waits for nobody. The thread starts with the first write.
 */
export function createWriter(directory: string, deadlineMs: number = storeDeadlineMs): Writer {
  let thread: Worker | undefined
  let next: Waiting[] = []
  let committing: Waiting[] | undefined
  let scheduled = false
  let closed = false
  let deadline: NodeJS.Timeout | undefined
  /** When the thread began to listen: nobody's time to write begins before. */
  let listeningSince = Infinity

  function start(): Worker {
    const worker = new Worker(new URL(script, import.meta.url), { workerData: { directory } })
    worker.on('online', () => (listeningSince = performance.now()))
    worker.on('message', (answer: Answer) => settle(answer))
    worker.on('error', (error: Error) => lose(error))
    worker.on('exit', () => lose(new Error('the writing thread ended')))
    return worker
  }

  function send(): void {
    scheduled = false
    if (committing || next.length === 0) return
    committing = next
    next = []
    thread ??= start()
    thread.ref()
    thread.postMessage(committing.map(({ operation }) => operation))
  }

  function settle(answer: Answer): void {
    const done = committing ?? []
    committing = undefined
    if ('failure' in answer) refuse(done, answer.failure)
    else done.forEach((one, index) => one.resolve(answer.results[index] as Result))
    if (next.length > 0) send()
    else {
      thread?.unref()
      clearTimeout(deadline)
      deadline = undefined
    }
  }

  /** The next write starts another thread. */
  function lose(error: Error): void {
    thread = undefined
    listeningSince = Infinity
    const lost = [...(committing ?? []), ...next]
    committing = undefined
    next = []
    refuse(lost, error.message)
  }

  /** One timer for all: it looks whether the oldest has waited too long. */
  function watch(): void {
    deadline ??= setTimeout(() => {
      deadline = undefined
      const now = performance.now()
      const late = ({ since }: Waiting) =>
        now - since >= startMs || now - Math.max(since, listeningSince) >= deadlineMs
      refuse([...(committing ?? []), ...next].filter(late), 'it did not write in time')
      next = next.filter((one) => !late(one))
      if (committing || next.length > 0) watch()
    }, deadlineMs)
    deadline.unref()
  }

  return {
    write(operation) {
      if (closed) return Promise.reject(new StoreUnavailable('The store has been closed.'))
      if (next.length >= mostWaiting) {
        return Promise.reject(
          new StoreUnavailable('The store cannot keep up with what is written.'),
        )
      }
      return new Promise((resolve, reject) => {
        next.push({ operation, since: performance.now(), resolve, reject })
        watch()
        if (scheduled || committing) return
        scheduled = true
        setImmediate(send)
      })
    },
    async close() {
      if (closed) return
      closed = true
      if (scheduled) send()
      const worker = thread
      if (!worker) return
      worker.ref()
      const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
      // Messages keep their order: what was written before is committed first.
      if (next.length > 0) worker.postMessage(next.map(({ operation }) => operation))
      worker.postMessage('close')
      await ended
    },
  }
}

function refuse(waiting: readonly Waiting[], reason: string): void {
  for (const one of waiting) one.reject(new StoreUnavailable(`The store failed: ${reason}.`))
}
