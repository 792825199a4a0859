import { createHash, randomUUID } from 'node:crypto'
import { close, fstat, open as openWithCallback, type Stats } from 'node:fs'
import { link, open, readdir, rename, rm, stat, unlink } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

import { type StoredHead, readHead, writeHead } from './head.ts'
import { makeDirectory } from './make-directory.ts'

/** Opens a file; tests replace it to simulate a full disk. */
export type OpenFile = (path: string, flags: string, mode?: number) => Promise<FileHandle>

/**
 * The files of a local storage. Their names on disk are hashes, so that names chosen by clients have
 * no effect there. A new file is written to another directory and published atomically.
 */
export interface Disk {
  /** Whether a file exists. */
  has(owner: string, path: string): Promise<boolean>
  /** Begins a new file. The caller must dispose of it. */
  begin(head: StoredHead): Promise<IncomingFile>
  /** Opens a file for reading. Resolves with `undefined` if it does not exist. */
  open(owner: string, path: string): Promise<DiskFile | undefined>
}

/** A new file that is not published yet. */
export interface IncomingFile {
  append(bytes: Buffer): Promise<void>
  /** Resolves once all bytes survive a loss of power. */
  flush(): Promise<void>
  /** Publishes the file. Resolves with false if one exists that it may not replace. */
  publish(owner: string, { overwrite }: { overwrite: boolean }): Promise<boolean>
  /** Deletes the temporary file; a published file stays. */
  [Symbol.asyncDispose](): Promise<void>
}

/** A file that is open for reading. */
export interface DiskFile extends StoredHead {
  /**
   * The reader must read it to its end or close it. It is a plain number, since a `FileHandle` that is
   * garbage-collected unclosed ends the process.
   */
  readonly descriptor: number
  /** The offset of the content, in bytes. */
  readonly offset: number
  /** The size of the content, in bytes. */
  readonly size: number
  readonly modifiedAt: Date
}

const openForReading = promisify(openWithCallback)
const statOpen: (descriptor: number) => Promise<Stats> = promisify(fstat)

/** Closes the descriptor of a file that is open for reading. */
export const closeFile = promisify(close)

/** The options of a disk. */
interface DiskOptions {
  readonly directory: string
  readonly openFile?: OpenFile | undefined
}

/** Creates the access to the files in a directory. Nothing is read or written before its first use. */
export function createDisk({ directory, openFile = open }: DiskOptions): Disk {
  const incoming = incomingDirectory(directory)
  const placeOf = (owner: string, path: string) => join(directory, owner, digest(path))
  let swept: Promise<void> | undefined

  return {
    async has(owner, path) {
      return (await undefinedIfMissing(stat(placeOf(owner, path)))) !== undefined
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
      const descriptor = await undefinedIfMissing(openForReading(placeOf(owner, path), 'r'))
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
      // Unlike a rename, a link never replaces a file.
      return link(temporary, place).then(() => true, falseIfTaken)
    },
    async [Symbol.asyncDispose]() {
      await closeHandle().catch(() => {})
      await unlink(temporary).catch(ignoreMissing)
    },
  }
}

/** The directory of files before publication and during deletion. */
export function incomingDirectory(directory: string): string {
  return join(directory, 'incoming')
}

/** The age, in milliseconds, of leftovers of killed processes; no active upload pauses that long. */
const staleMs = 60 * 60_000

async function sweep(incoming: string): Promise<void> {
  for (const name of await readdir(incoming)) {
    const file = join(incoming, name)
    const found = await undefinedIfMissing(stat(file))
    if (found && Date.now() - found.mtimeMs > staleMs) await rm(file, { force: true })
  }
}

/** The name of a file on disk: no file system truncates, case-folds or reserves it. */
function digest(path: string): string {
  return createHash('sha256').update(path).digest('hex')
}

async function undefinedIfMissing<T>(promise: Promise<T>): Promise<T | undefined> {
  return promise.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
}

function falseIfTaken(error: NodeJS.ErrnoException): false {
  if (error.code === 'EEXIST') return false
  throw error
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
