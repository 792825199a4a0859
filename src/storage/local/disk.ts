import { createHash, randomUUID } from 'node:crypto'
import { close, fstat, open as openWithCallback, type Stats } from 'node:fs'
import { link, open, readdir, rename, rm, stat, unlink } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

import { type StoredHead, readHead, writeHead } from './head.ts'
import { makeDirectory } from './make-directory.ts'

/** What the disk has to be able to do; a test gives one that is full. */
export type OpenFile = (path: string, flags: string, mode?: number) => Promise<FileHandle>

/**
 * Files of a local storage. On the disk they have names of their own, so that no name that a client
 * chooses means anything there. A file is written elsewhere and appears as a whole.
 */
export interface Disk {
  has(owner: string, path: string): Promise<boolean>
  begin(head: StoredHead): Promise<IncomingFile>
  /** `undefined` where there is none. */
  open(owner: string, path: string): Promise<DiskFile | undefined>
}

/** A file that nobody can see yet. */
export interface IncomingFile {
  append(bytes: Buffer): Promise<void>
  /** Resolves once every byte survives a loss of power. */
  flush(): Promise<void>
  /** Whether it is there now: not where there is one already that it may not replace. */
  publish(owner: string, { overwrite }: { overwrite: boolean }): Promise<boolean>
  /** Leaves nothing of it; also after it was published. */
  [Symbol.asyncDispose](): Promise<void>
}

export interface DiskFile extends StoredHead {
  /**
   * To be read to its end or closed. A plain number: a handle that somebody forgets would end the
   * process when its memory is collected.
   */
  readonly descriptor: number
  /** Where its content begins. */
  readonly offset: number
  /** Of its content, in bytes. */
  readonly size: number
  readonly modifiedAt: Date
}

const openForReading = promisify(openWithCallback)
const statOpen: (descriptor: number) => Promise<Stats> = promisify(fstat)

/** Closes what was opened for reading. */
export const closeFile = promisify(close)

export interface DiskOptions {
  readonly directory: string
  readonly openFile?: OpenFile | undefined
}

export function createDisk({ directory, openFile = open }: DiskOptions): Disk {
  const incoming = incomingIn(directory)
  const placeOf = (owner: string, path: string) => join(directory, owner, digest(path))
  let swept: Promise<void> | undefined

  return {
    async has(owner, path) {
      return (await ifThere(stat(placeOf(owner, path)))) !== undefined
    },
    async begin(head) {
      await makeDirectory(incoming)
      await (swept ??= sweep(incoming).catch(() => {}))
      const temporary = join(incoming, randomUUID())
      const handle = await openFile(temporary, 'wx', 0o600)
      const file = incomingFile(handle, temporary, (owner) => placeOf(owner, head.path))
      try {
        await file.append(writeHead(head))
        return file
      } catch (error) {
        await file[Symbol.asyncDispose]()
        throw error
      }
    },
    async open(owner, path) {
      const descriptor = await ifThere(openForReading(placeOf(owner, path), 'r'))
      if (descriptor === undefined) return undefined
      try {
        const { offset, ...head } = await readHead(descriptor)
        const { size, mtime } = await statOpen(descriptor)
        return { ...head, descriptor, offset, size: size - offset, modifiedAt: mtime }
      } catch (error) {
        await closeFile(descriptor)
        throw error
      }
    },
  }
}

function incomingFile(
  handle: FileHandle,
  temporary: string,
  placeOf: (owner: string) => string,
): IncomingFile {
  let isOpen = true
  const closeHandle = async () => {
    if (isOpen) await handle.close()
    isOpen = false
  }
  return {
    async append(bytes) {
      for (let written = 0; written < bytes.length;) {
        written += (await handle.write(bytes, written)).bytesWritten
      }
    },
    flush: () => handle.sync(),
    async publish(owner, { overwrite }) {
      const place = placeOf(owner)
      await closeHandle()
      await makeDirectory(dirname(place))
      if (overwrite) return rename(temporary, place).then(() => true)
      // Unlike a rename, a link never takes the place of anything.
      return link(temporary, place).then(() => true, ifTaken)
    },
    async [Symbol.asyncDispose]() {
      await closeHandle().catch(() => {})
      await unlink(temporary).catch(ignoreMissing)
    },
  }
}

/** Where files are before they appear, and on their way out. */
export function incomingIn(directory: string): string {
  return join(directory, 'incoming')
}

/** What is left of a process that was killed is older than any silence that an upload may have. */
const staleMs = 60 * 60_000

async function sweep(incoming: string): Promise<void> {
  for (const name of await readdir(incoming)) {
    const file = join(incoming, name)
    const found = await ifThere(stat(file))
    if (found && Date.now() - found.mtimeMs > staleMs) await rm(file, { force: true })
  }
}

/** No file system cuts it, takes two of them for one, or reserves it. */
function digest(path: string): string {
  return createHash('sha256').update(path).digest('hex')
}

async function ifThere<T>(asked: Promise<T>): Promise<T | undefined> {
  return asked.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
}

function ifTaken(error: NodeJS.ErrnoException): false {
  if (error.code === 'EEXIST') return false
  throw error
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
