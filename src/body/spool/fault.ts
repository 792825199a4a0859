import { access, constants, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * The reason why the spool's directory cannot be used, for the operator; `undefined` if it can. The
 * first upload creates a missing directory, so the nearest existing parent is checked in its place.
 */
export async function spoolFault(directory: string): Promise<string | undefined> {
  try {
    if (!(await stat(directory)).isDirectory()) return `${directory} is not a directory`
    await access(directory, constants.W_OK | constants.X_OK)
    return undefined
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    const above = dirname(directory)
    if ((code === 'ENOENT' || code === 'ENOTDIR') && above !== directory) return spoolFault(above)
    return `${directory} is not writable (${code})`
  }
}
