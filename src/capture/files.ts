import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { mkdir, open, readdir, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'

import type { CaptureSetting } from './settings.ts'

/** The files of captures: one for each capture and process. */
interface CaptureFiles {
  /** Appends a line to the file of a capture; resolves with false if the directory is full. Rejects if it cannot. */
  append(captureId: string, line: string): Promise<boolean>
  /** Appends the last line, which is short, also to a directory that is full. Rejects if it cannot. */
  finish(captureId: string, line: string): Promise<void>
  /** Deletes files whose time is over. */
  sweep(): Promise<void>
}

/** Containers with a common directory have the same process ids. */
const processName = randomBytes(4).toString('hex')

const nameOf = (captureId: string) => `${captureId}.${processName}.ndjson`

/** Whether a file of the directory is one of a capture: others are left alone. */
const isCaptureFile = (name: string) => /^cap_[\dA-Za-z]+\.[\da-f]+\.ndjson$/.test(name)

const hourMs = 60 * 60_000

/** No link leads a capture to another place. */
const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW

/** Opens the directory of captures, which only its owner reads, as its files. */
export function openCaptureFiles(
  { directory, keepHours, maxBytes }: CaptureSetting,
  now: () => number,
): CaptureFiles {
  async function list(): Promise<{ path: string; size: number; changedAt: number }[]> {
    const names = (await readdir(directory).catch(() => [])).filter(isCaptureFile)
    const found = await Promise.all(
      names.map(async (name) => {
        const path = join(directory, name)
        const { size, mtimeMs } = await stat(path)
        return { path, size, changedAt: mtimeMs }
      }),
    )
    return found
  }

  async function write(captureId: string, line: string): Promise<void> {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    const file = await open(join(directory, nameOf(captureId)), flags, 0o600)
    try {
      await file.appendFile(line)
    } finally {
      await file.close()
    }
  }

  return {
    async append(captureId, line) {
      const used = (await list()).reduce((sum, { size }) => sum + size, 0)
      if (used + Buffer.byteLength(line) > maxBytes) return false
      await write(captureId, line)
      return true
    },
    finish: write,
    async sweep() {
      for (const { path, changedAt } of await list()) {
        if (now() - changedAt > keepHours * hourMs) await unlink(path)
      }
    },
  }
}
