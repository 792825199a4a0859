import { type FileHandle, open, stat } from 'node:fs/promises'
import { constants } from 'node:fs'

import type { LineSink } from './log.ts'

/** A file that lines are appended to. It drops lines that it cannot write, and never blocks. */
export interface LogFile extends LineSink {
  /** Opens the path again before the next lines. */
  reopen(): void
  /** Writes the waiting lines, for at most a second, and closes the file. */
  close(): Promise<void>
  /** The number of lines dropped so far. */
  readonly dropped: number
}

/** The options of `openLogFile`. */
interface LogFileOptions {
  /** Absolute. */
  readonly path: string
  /** Called for a failed write, at most once a minute, with all lines dropped so far. */
  readonly onFault: (error: unknown, dropped: number) => void
  /** Called when lines are written again after `onFault`. */
  readonly onRecovery: (dropped: number) => void
}

/** Lines that wait for a slow disk, in characters, before more are dropped. */
const maxWaiting = 4 * 1024 * 1024

/** How often the path is compared with the open file, which a rotation may have moved. Milliseconds. */
const lookMs = 1_000

/** How long a failed file is left alone, and how often `onFault` is called. Milliseconds. */
const pauseMs = 1_000
const faultMs = 60_000

const closeMs = 1_000

/** Whole batches reach the end of the file, whichever other process appends to it. A pipe without a reader fails. */
const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK

interface Batch {
  readonly text: string
  readonly callback: (() => void) | undefined
}

/** Opens a file at its first line. A file that is moved or removed is replaced by a new one within a second. */
export function openLogFile({ path, onFault, onRecovery }: LogFileOptions): LogFile {
  let queue: Batch[] = []
  let waiting = 0
  let dropped = 0
  let isWriting = false
  let written = Promise.resolve()
  let file: FileHandle | undefined
  let lookedAt = -Infinity
  let mustReopen = false
  /** Whether the file ends within a line. */
  let isTorn = false
  let failedAt = -Infinity
  let reportedAt = -Infinity
  let isReported = false

  async function current(): Promise<FileHandle> {
    const now = performance.now()
    if (file && (mustReopen || now - lookedAt >= lookMs)) {
      if (mustReopen || !(await isAt(path, file))) await discard()
      lookedAt = now
    }
    if (file) return file
    mustReopen = false
    lookedAt = now
    isTorn = false
    return (file = await open(path, flags, 0o640))
  }

  async function discard(): Promise<void> {
    const old = file
    file = undefined
    await old?.close().catch(() => {})
  }

  async function append(text: string): Promise<void> {
    const target = await current()
    let rest = Buffer.from(isTorn ? `\n${text}` : text)
    while (rest.length > 0) {
      const { bytesWritten } = await target.write(rest)
      rest = rest.subarray(bytesWritten)
      isTorn = rest.length > 0
    }
  }

  async function writeAll(): Promise<void> {
    while (queue.length > 0) {
      const batches = queue
      queue = []
      const text = batches.map((batch) => batch.text).join('')
      try {
        if (performance.now() - failedAt < pauseMs) drop(text)
        else {
          await append(text)
          recovered()
        }
      } catch (error) {
        failedAt = performance.now()
        drop(text)
        await discard()
        report(error)
      }
      waiting -= text.length
      for (const { callback } of batches) callback?.()
    }
    // In the same turn as the last look at the queue: a line may arrive in any later one.
    isWriting = false
  }

  function drop(text: string): void {
    dropped += text.split('\n').length - 1
  }

  function report(error: unknown): void {
    const now = performance.now()
    if (now - reportedAt < faultMs) return
    reportedAt = now
    isReported = true
    onFault(error, dropped)
  }

  function recovered(): void {
    if (!isReported) return
    isReported = false
    onRecovery(dropped)
  }

  return {
    get writableLength() {
      return waiting
    },
    get dropped() {
      return dropped
    },
    write(text, callback) {
      if (waiting > maxWaiting) {
        drop(text)
        callback?.()
        return false
      }
      queue.push({ text, callback })
      waiting += text.length
      if (!isWriting) {
        isWriting = true
        written = writeAll()
      }
      return waiting <= maxWaiting
    },
    reopen() {
      mustReopen = true
      failedAt = -Infinity
    },
    async close() {
      await Promise.race([written, afterwards(closeMs)])
      await Promise.race([discard(), afterwards(closeMs)])
    },
  }
}

/** Whether the path still leads to the open file. */
async function isAt(path: string, file: FileHandle): Promise<boolean> {
  const [there, own] = await Promise.all([stat(path).catch(() => undefined), file.stat()])
  return there?.ino === own.ino && there.dev === own.dev
}

function afterwards(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms).unref())
}
