import { createReadStream } from 'node:fs'
import { appendFile, lstat, mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { hash } from 'node:crypto'

import { visibleJson } from './visible.ts'

/** The most bytes that wait in the file of a process. */
const mostBytes = 64 * 1024 * 1024

/** A file for texts that the store cannot take at the moment, one a line. */
export interface Spill {
  /** Whether it has lines that `drain` has not taken. */
  readonly hasLines: boolean
  /** Adds a line of `JSON.stringify`; false if it is full or cannot be written. Never rejects. */
  add(json: string): Promise<boolean>
  /** Has `take` take the lines, one after another, and removes the file. Rejects as `take` does; then all lines stay. */
  drain(take: (line: string) => Promise<void>): Promise<void>
  /** Makes the files of processes that were killed its own. Never rejects. */
  adopt(): Promise<void>
  /** Leaves the files to others. */
  leave(): void
}

/** The options of `openSpill`. */
interface SpillOptions {
  /** Default: the system's directory for temporary files. */
  readonly directory?: string | undefined
  /** The URL of the store that the lines are for: each has files of its own. */
  readonly store: string
  /** What the lines are of. */
  readonly of: 'ledger' | 'settlements'
}

/**
 * Opens the file of this process. Its name has the id of the process, so that another one on the same store can see
 * that its owner has ended.
 */
export function openSpill({ directory = tmpdir(), store, of }: SpillOptions): Spill {
  const own = process.getuid?.() ?? 0
  const folder = join(directory, `dragoman-${of}-${own}-${nameOf(store)}`)
  const newFile = () => join(folder, `${process.pid}-${startedAt}-${++files}.ndjson`)
  const file = newFile()
  /** Files with lines, the oldest first. */
  const waiting = new Set<string>()
  inUse.add(file)
  let bytes = 0

  /** Others could have made it, where many users share a directory. */
  async function openFolder(): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const { uid, mode } = await lstat(folder)
    if (process.getuid && (uid !== own || (mode & 0o077) !== 0))
      throw new Error(`The directory ${folder} is not this user's alone.`)
  }

  return {
    get hasLines() {
      return waiting.size > 0
    },
    async add(json) {
      // In texts of clients, JSON keeps characters that end a line for its readers.
      const line = visibleJson(json)
      const size = Buffer.byteLength(line) + 1
      if (bytes + size > mostBytes) return false
      bytes += size
      try {
        if (!waiting.has(file)) await openFolder()
        await appendFile(file, `${line}\n`, { mode: 0o600 })
        waiting.add(file)
        return true
      } catch {
        bytes -= size
        return false
      }
    },
    async drain(take) {
      const due = Array.from(waiting)
      for (const one of due) {
        // Lines that are added meanwhile go to a new file of the same name.
        const taken = one === file ? newFile() : one
        if (one === file) {
          inUse.add(taken)
          await rename(file, taken)
          waiting.delete(file)
          waiting.add(taken)
        }
        const input = createReadStream(taken, 'utf8')
        try {
          for await (const line of createInterface({ input, crlfDelay: Infinity })) await take(line)
        } finally {
          input.destroy()
        }
        const { size } = await stat(taken)
        await rm(taken, { force: true })
        waiting.delete(taken)
        inUse.delete(taken)
        bytes = Math.max(0, bytes - size)
      }
    },
    async adopt() {
      // A store in memory has ended with its process.
      if (store.startsWith('memory:')) return
      const names = await readdir(folder).catch(() => [])
      for (const name of names) {
        const [, pid] = /^(\d+)-[\w-]+\.ndjson$/.exec(name) ?? []
        const path = join(folder, name)
        if (pid === undefined || inUse.has(path) || isAlive(Number(pid))) continue
        const adopted = newFile()
        try {
          await openFolder()
          inUse.add(adopted)
          await rename(path, adopted)
          bytes += (await stat(adopted)).size
          waiting.add(adopted)
        } catch {
          // Another process was faster.
          inUse.delete(adopted)
        }
      }
    },
    leave() {
      for (const one of [file, ...waiting]) inUse.delete(one)
    },
  }
}

/** A name for a store, which says nothing about its password. */
function nameOf(store: string): string {
  return hash('sha256', store.replace(/\/\/[^/]*@/, '//'), 'hex').slice(0, 12)
}

/** Ids of processes come again, in containers always the same one. */
const startedAt = Math.round(performance.timeOrigin).toString(36)

let files = 0

/** The files of this process: one may have several gateways. */
const inUse = new Set<string>()

/** A process with the id of this one that has another file has ended: this one has its id now. */
function isAlive(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
