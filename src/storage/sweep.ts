import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

const minuteMs = 60_000

/** Clocks of replicas differ, and a sweep must not take what another one still gives out. */
const graceMs = minuteMs

/**
 * The directory of all files that expire by the end of the same minute. Its name tells when they
 * are over, so that none of them has to be looked at.
 */
export function minuteOf(expiresAt: number): string {
  return String(Math.ceil(expiresAt / minuteMs))
}

/** Deletes the directories whose minute is over; every other name is left alone. */
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

export interface TimedSweep {
  /** Sweeps now and from time to time. */
  begin(): void
  close(): void
}

export interface TimedSweepOptions {
  sweep(): Promise<void>
  /** From one sweep to the next, in milliseconds. */
  readonly everyMs: number
  readonly onError: (error: unknown) => void
}

/** What is done again and again while the process lives, and keeps none alive. Never two at once. */
export function createTimedSweep({ sweep, everyMs, onError }: TimedSweepOptions): TimedSweep {
  let timer: NodeJS.Timeout | undefined
  let isSweeping = false

  async function once(): Promise<void> {
    if (isSweeping) return
    isSweeping = true
    try {
      await sweep()
    } catch (error) {
      onError(error)
    } finally {
      isSweeping = false
    }
  }

  return {
    begin() {
      void once()
      timer ??= setInterval(() => void once(), everyMs).unref()
    },
    close() {
      clearInterval(timer)
      timer = undefined
    },
  }
}
