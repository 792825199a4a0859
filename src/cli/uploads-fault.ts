import { resolve } from 'node:path'

import { localDirectoryOf } from '../configuration/check-uploads.ts'
import { directoryFault } from '../storage/local/fault.ts'
import type { CommandConfiguration } from './command-configuration.ts'

/** Why the gateway's own upload storage is unusable. */
export interface UploadsFault {
  /** Why the directory cannot be used. */
  readonly message: string
  /** Whether the configuration names the directory. */
  readonly isChosen: boolean
}

/** Tests whether the upload directory is writable, and leaves no file in it. */
export async function uploadsFault({
  settings: { uploads, store },
  storeBase,
}: Pick<CommandConfiguration, 'settings' | 'storeBase'>): Promise<UploadsFault | undefined> {
  const { directory } = uploads
  if (directory === undefined) return undefined
  const message = await directoryFault(resolve(storeBase, directory))
  if (message === undefined) return undefined
  return { message, isChosen: directory !== localDirectoryOf(store) }
}
