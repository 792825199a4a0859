import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * An unlinked temporary file: its name is removed before anything is written, so that the system
 * frees its space even if the process is killed.
 */
export class SpoolFile {
  readonly #handle: FileHandle

  private constructor(handle: FileHandle) {
    this.#handle = handle
  }

  /** Creates the file, and the directory if it is missing. */
  static async create(directory: string): Promise<SpoolFile> {
    await mkdir(directory, { recursive: true })
    const path = join(directory, `dragoman-${randomUUID()}.spool`)
    // Other users of the machine must not read the uploads of clients.
    const handle = await open(path, 'wx+', 0o600)
    try {
      await unlink(path)
    } catch (error) {
      await handle.close()
      throw error
    }
    return new SpoolFile(handle)
  }

  /** Writes the chunks at `position`, one after another. */
  async write(chunks: readonly Buffer[], position: number): Promise<void> {
    let rest: readonly Buffer[] = chunks
    let at = position
    while (rest.length > 0) {
      const { bytesWritten } = await this.#handle.writev(rest.slice(0, maxVectors), at)
      at += bytesWritten
      rest = remainingChunks(rest, bytesWritten)
    }
  }

  /** Reads a range that has been written. */
  async read(start: number, end: number): Promise<Buffer> {
    const bytes = Buffer.allocUnsafeSlow(end - start)
    let filled = 0
    while (filled < bytes.length) {
      const { bytesRead } = await this.#handle.read(
        bytes,
        filled,
        bytes.length - filled,
        start + filled,
      )
      if (bytesRead === 0) throw new Error('A spool file is shorter than the bytes written to it.')
      filled += bytesRead
    }
    return bytes
  }

  /** Closes the file after pending reads and writes. */
  close(): Promise<void> {
    return this.#handle.close()
  }
}

/** The most buffers in one `writev` call; below IOV_MAX, which is 1024. */
const maxVectors = 512

/** The chunks that remain after `written` bytes. */
function remainingChunks(chunks: readonly Buffer[], written: number): readonly Buffer[] {
  let left = written
  for (const [index, chunk] of chunks.entries()) {
    if (left < chunk.length) return [chunk.subarray(left), ...chunks.slice(index + 1)]
    left -= chunk.length
  }
  return []
}
