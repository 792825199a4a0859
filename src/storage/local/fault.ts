import { randomUUID } from 'node:crypto'
import { link, rm, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { makeDirectory } from './make-directory.ts'

/**
 * Why a directory cannot keep files, in words for its operator; `undefined` where it can. What a file
 * needs is tried and undone: nothing stays of it, nor the directory if it was not there.
 */
export async function directoryFault(directory: string): Promise<string | undefined> {
  let made: readonly string[] = []
  try {
    made = await makeDirectory(directory)
    await tryFile(directory)
    return undefined
  } catch (error) {
    const { code = String(error), syscall } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' || code === 'ENOTDIR')
      return `${directory} is not a directory, or lies in none`
    if (syscall === 'link') return `${directory} can hold no hard links (${code})`
    return `${directory} cannot be written to (${code})`
  } finally {
    // Somebody may have put something into one by now.
    for (const one of made.toReversed()) await rmdir(one).catch(() => {})
  }
}

/** As a file comes: written under one name, and linked to the other. */
async function tryFile(directory: string): Promise<void> {
  const [written, linked] = [randomUUID(), randomUUID()].map((name) => join(directory, name)) as [
    string,
    string,
  ]
  try {
    await writeFile(written, 'x', { flag: 'wx', mode: 0o600 })
    await link(written, linked)
  } finally {
    await rm(linked, { force: true })
    await rm(written, { force: true })
  }
}
