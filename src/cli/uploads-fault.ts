import { resolve } from 'node:path'

import { defaultUploadsFor } from '../configuration/check-uploads.ts'
import { directoryFault } from '../storage/local/fault.ts'
import type { CommandConfiguration } from './command-configuration.ts'

export interface UploadsFault {
  /** Why the directory of the gateway's own storage cannot be used. */
  readonly message: string
  /** Whether the operator has named the directory. */
  readonly isChosen: boolean
}

/** Tries the directory of uploads, where there is one, and leaves nothing in it. */
export async function uploadsFault({
  settings: { uploads, store },
  storeBase,
}: Pick<CommandConfiguration, 'settings' | 'storeBase'>): Promise<UploadsFault | undefined> {
  const { directory } = uploads
  if (directory === undefined) return undefined
  const message = await directoryFault(resolve(storeBase, directory))
  if (message === undefined) return undefined
  return { message, isChosen: directory !== defaultUploadsFor(store).directory }
}
