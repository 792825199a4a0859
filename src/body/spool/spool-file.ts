import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * A file without a name: it is unlinked as soon as it is open and before anything is written, so
 * that its space is free again whatever becomes of the process.
 */
export class SpoolFile {
  readonly #handle: FileHandle

  private constructor(handle: FileHandle) {
    this.#handle = handle
  }

  static async create(directory: string): Promise<SpoolFile> {
    await mkdir(directory, { recursive: true })
    const path = join(directory, `dragoman-${randomUUID()}.spool`)
    // Others on the machine must not read what clients upload.
    const handle = await open(path, 'wx+', 0o600)
    try {
      await unlink(path)
    } catch (error) {
      await handle.close()
      throw error
    }
    return new SpoolFile(handle)
  }

  /** Writes all of these, one after another. */
  async write(chunks: readonly Buffer[], position: number): Promise<void> {
    let rest: readonly Buffer[] = chunks
    let at = position
    while (rest.length > 0) {
      const { bytesWritten } = await this.#handle.writev(rest.slice(0, mostVectors), at)
      at += bytesWritten
      rest = after(rest, bytesWritten)
    }
  }

  /** The bytes of a range, which must have been written. */
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
      if (bytesRead === 0) throw new Error('A spooled file is shorter than what was written to it.')
      filled += bytesRead
    }
    return bytes
  }

  /** Waits for what is under way. */
  close(): Promise<void> {
    return this.#handle.close()
  }
}

/** What systems take in one call (IOV_MAX is 1024). */
const mostVectors = 512

/** What is left of these when so many bytes have been written. */
function after(chunks: readonly Buffer[], written: number): readonly Buffer[] {
  let left = written
  for (const [index, chunk] of chunks.entries()) {
    if (left < chunk.length) return [chunk.subarray(left), ...chunks.slice(index + 1)]
    left -= chunk.length
  }
  return []
}
