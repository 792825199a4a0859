import { resolve } from 'node:path'

import { spoolFault } from '../../body/spool/fault.ts'
import { localDirectoryOf } from '../../configuration/check-uploads.ts'
import type { Problem } from '../../contract/problems.ts'
import { directoryFault } from '../../storage/local/fault.ts'
import type { CommandConfiguration } from '../command-configuration.ts'

/** The problem of a spool that cannot be used, if there is one. */
export async function spoolProblems({
  settings,
}: Pick<CommandConfiguration, 'settings'>): Promise<Problem[]> {
  const message = await spoolFault(settings.spool)
  if (message === undefined) return []
  return [
    { path: 'spool', message, fix: 'name a directory with space that this user may write to' },
  ]
}

/** The problem of an upload directory that cannot be written, if there is one. Leaves no file in it. */
export async function uploadsProblems({
  settings: { uploads },
  storeBase,
}: Pick<CommandConfiguration, 'settings' | 'storeBase'>): Promise<Problem[]> {
  const { directory } = uploads
  if (directory === undefined) return []
  const message = await directoryFault(resolve(storeBase, directory))
  if (message === undefined) return []
  const fix = 'name a directory that this user may write to, or false for none'
  return [{ path: 'uploads.directory', message, fix }]
}

/** Whether the configuration names the upload directory. Its default may be unusable: then there are no uploads. */
export function namesUploads({ settings }: Pick<CommandConfiguration, 'settings'>): boolean {
  return settings.uploads.directory !== localDirectoryOf(settings.store)
}
