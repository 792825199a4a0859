import { StoreUnavailable } from '../stores/store.ts'
import type { Job } from './job.ts'

/** How often writes that failed are tried again, and how long, in milliseconds. */
const pauseMs = 1_000
const longestMs = 10 * 60_000
/** What the end of the process waits for the last attempt, in milliseconds. */
const lastMs = 2_000
/** Beyond so many the oldest is given up: a store that is away must not fill the memory. */
const mostWaiting = 10_000

/** Jobs that the store has not taken yet. They are known here meanwhile. */
export interface WaitingRoom {
  add(job: Job): void
  find(id: string): Job | undefined
  /** `undefined` where it is not here. */
  change(id: string, change: (known: Job) => Job): Job | undefined
  forget(id: string): void
  readonly size: number
  /** Tries once more, and gives up what is left then. */
  close(): Promise<void>
}

export interface WaitingRoomOptions {
  write(job: Job): Promise<void>
  /** Told of what is given up. */
  lost(job: Job): void
}

interface Waiting {
  readonly job: Job
  readonly since: number
}

/** Writes again what could not be written, for ten minutes. */
export function createWaitingRoom({ write, lost }: WaitingRoomOptions): WaitingRoom {
  const waiting = new Map<string, Waiting>()
  let timer: NodeJS.Timeout | undefined
  let closed = false

  function giveUp({ job }: Waiting): void {
    waiting.delete(job.id)
    lost(job)
  }

  /** One after another: the first that fails says that the store is still away. */
  async function writeAll(until = Infinity): Promise<void> {
    for (const [id, one] of waiting) {
      if (performance.now() > until) return
      if (performance.now() - one.since > longestMs) giveUp(one)
      else {
        try {
          await write(one.job)
          if (waiting.get(id) === one) waiting.delete(id)
        } catch (error) {
          if (error instanceof StoreUnavailable) return
          // It is no fault of the store's, and would be none's tomorrow.
          if (waiting.get(id) === one) giveUp(one)
        }
      }
    }
  }

  function schedule(): void {
    if (closed || waiting.size === 0) return
    timer ??= setTimeout(() => {
      void writeAll().finally(() => {
        timer = undefined
        schedule()
      })
    }, pauseMs).unref()
  }

  return {
    add(job) {
      waiting.set(job.id, { job, since: performance.now() })
      const [oldest] = waiting.size > mostWaiting ? waiting.values() : []
      if (oldest) giveUp(oldest)
      schedule()
    },
    find: (id) => waiting.get(id)?.job,
    change(id, change) {
      const one = waiting.get(id)
      if (!one) return undefined
      const job = change(one.job)
      if (job !== one.job) waiting.set(id, { ...one, job })
      return job
    },
    forget: (id) => void waiting.delete(id),
    get size() {
      return waiting.size
    },
    async close() {
      closed = true
      clearTimeout(timer)
      await writeAll(performance.now() + lastMs)
      for (const one of waiting.values()) giveUp(one)
    },
  }
}
