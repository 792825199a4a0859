import { randomUUID } from 'node:crypto'
import { link, rm, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { makeDirectory } from './make-directory.ts'

/** Another process that checks the same directory may remove it in between. */
const maxTries = 10

/**
 * The reason why a directory cannot store files, for the operator; `undefined` if it can. The check
 * writes and links a file and removes everything that it created, the directory included.
 */
export async function directoryFault(
  directory: string,
  tries = maxTries,
): Promise<string | undefined> {
  let made: readonly string[] = []
  try {
    made = await makeDirectory(directory)
    await tryFile(directory)
    return undefined
  } catch (error) {
    const { code = String(error), syscall } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' && tries > 1) return await directoryFault(directory, tries - 1)
    if (code === 'EEXIST' || code === 'ENOTDIR')
      return `${directory} is not a directory, or its parent is not`
    if (syscall === 'link') return `${directory} does not support hard links (${code})`
    return `${directory} is not writable (${code})`
  } finally {
    // A directory may no longer be empty; then it stays.
    for (const one of made.toReversed()) await rmdir(one).catch(() => {})
  }
}

/** Stores a file as an upload does: writes it under one name and links it to another. */
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
