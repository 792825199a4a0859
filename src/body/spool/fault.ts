import { access, constants, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Why nothing could be written to a spool, in words for its operator; `undefined` where it can. A
 * directory that is not there yet is made by the first upload, so that what it lies in is looked at.
 */
export async function spoolFault(directory: string): Promise<string | undefined> {
  try {
    if (!(await stat(directory)).isDirectory()) return `${directory} is no directory`
    await access(directory, constants.W_OK | constants.X_OK)
    return undefined
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    const above = dirname(directory)
    if ((code === 'ENOENT' || code === 'ENOTDIR') && above !== directory) return spoolFault(above)
    return `${directory} cannot be written to (${code})`
  }
}
