import { access, constants, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

import { SpoolFile } from './spool-file.ts'
import { isFull, maxMemoryBytes } from './spooled-body.ts'

/**
 * The reason why the spool's directory cannot be used, for the operator; `undefined` if it can. The
 * check writes as much as the smallest form on disk. The first form creates a missing directory, so the
 * nearest existing parent is checked in its place.
 */
export async function spoolFault(directory: string): Promise<string | undefined> {
  try {
    if (!(await stat(directory)).isDirectory()) return `${directory} is not a directory`
    await access(directory, constants.W_OK | constants.X_OK)
    await tryFile(directory)
    return undefined
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    const above = dirname(directory)
    if ((code === 'ENOENT' || code === 'ENOTDIR') && above !== directory) return spoolFault(above)
    if (isFull(error)) return `${directory} has no space for a form of 1 MiB (${code})`
    return `${directory} is not writable (${code})`
  }
}

async function tryFile(directory: string): Promise<void> {
  const file = await SpoolFile.create(directory)
  try {
    await file.write([Buffer.alloc(maxMemoryBytes)], 0)
  } finally {
    await file.close()
  }
}
