import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

const minuteMs = 60_000

/** Clocks of replicas differ; a sweep must not delete files that another replica still serves. */
const graceMs = minuteMs

/**
 * The directory of all files that expire in the same minute; `expiresAt` in milliseconds since 1970.
 * Its name is the minute, so that a sweep need not inspect the files.
 */
export function expiryDirectory(expiresAt: number): string {
  return String(Math.ceil(expiresAt / minuteMs))
}

/** Deletes the directories whose minute is over, and no other entries. */
export async function sweepExpired(directory: string, now: number): Promise<void> {
  for (const name of await namesIn(directory)) {
    const isOver = /^\d{1,12}$/.test(name) && Number(name) * minuteMs + graceMs <= now
    if (isOver) await rm(join(directory, name), { recursive: true, force: true })
  }
}

async function namesIn(directory: string): Promise<string[]> {
  return readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
}

/** A sweep that runs periodically. */
export interface TimedSweep {
  /** Sweeps soon and then periodically. */
  begin(): void
  close(): void
}

/** The options of a timed sweep. */
interface TimedSweepOptions {
  sweep(): Promise<void>
  /** The time between sweeps, in milliseconds. */
  readonly everyMs: number
  readonly onError: (error: unknown) => void
}

/** The first sweep waits until the gateway serves. */
const firstMs = 1_000

/** Creates a periodic sweep. Sweeps never overlap, and the timer does not keep the process alive. */
export function createTimedSweep({ sweep, everyMs, onError }: TimedSweepOptions): TimedSweep {
  let timer: NodeJS.Timeout | undefined

  function sweepIn(ms: number): void {
    timer = setTimeout(() => {
      void sweep()
        .catch(onError)
        .finally(() => timer && sweepIn(everyMs))
    }, ms).unref()
  }

  return {
    begin: () => sweepIn(Math.min(firstMs, everyMs)),
    close() {
      clearTimeout(timer)
      timer = undefined
    },
  }
}
