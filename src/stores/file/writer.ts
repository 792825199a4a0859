import { Worker } from 'node:worker_threads'

import { StoreUnavailable, storeDeadlineMs } from '../store.ts'
import type { WriteOperation, WriteResult } from './operations.ts'
import type { WriterReply } from './writer-thread.ts'

/** Writes to a file store from a thread of its own, so that a slow disk never stops the loop. */
export interface Writer {
  /** Resolves when the write survives the death of this process. */
  write(operation: WriteOperation): Promise<WriteResult>
  close(): Promise<void>
}

interface Waiting {
  readonly operation: WriteOperation
  readonly since: number
  resolve(result: WriteResult): void
  reject(error: StoreUnavailable): void
}

/** A machine that is busy may take so long to start a thread, in milliseconds. */
const startMs = 10_000

/** A disk that takes nothing must not fill the memory. */
const mostWaiting = 50_000

const script = import.meta.url.endsWith('.ts') ? './writer-thread.ts' : './writer-thread.js'

/**
 * Gathers writes: the next batch fills while one is being committed, so that under load many writes
 * share a commit. A single one waits for nobody. The thread starts with the first write.
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
    worker.on('message', (answer: WriterReply | 'ready') => {
      if (answer === 'ready') listeningSince = performance.now()
      else settle(answer)
    })
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
    // As text: it is read and written faster than structured clones are.
    thread.postMessage(JSON.stringify(committing.map(({ operation }) => operation)))
  }

  /** In this turn's end. What comes while a batch is written is the next one. */
  function schedule(): void {
    if (scheduled || committing) return
    scheduled = true
    setImmediate(send)
  }

  function settle(answer: WriterReply): void {
    const done = committing ?? []
    committing = undefined
    if ('failure' in answer) refuse(done, answer.failure)
    else done.forEach((one, index) => one.resolve(answer.results[index] as WriteResult))
    if (next.length > 0) schedule()
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

  function isBusy(): boolean {
    return committing !== undefined || next.length > 0
  }

  /** A thread that does not answer is left alone; the next write starts another one. */
  function abandon(): void {
    const stuck = thread
    lose(new Error('it did not write in time'))
    stuck?.removeAllListeners()
    void stuck?.terminate()
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
      // What is stuck in the thread holds up nobody else any longer than this.
      if (committing?.every(late)) abandon()
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
        schedule()
      })
    },
    async close() {
      if (closed) return
      closed = true
      send()
      // Every write ends, at the latest by its deadline.
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

function refuse(waiting: readonly Waiting[], reason: string): void {
  for (const one of waiting) one.reject(new StoreUnavailable(`The store failed: ${reason}.`))
}
