import { localName } from '../contract/storage.ts'
import type { S3Setting } from './s3/storage.ts'

/** Where uploads go, checked and complete. */
export interface UploadsSetting {
  /** The storage where a request names none. Absent: there is no storage. */
  readonly default?: string | undefined
  /** Signs the URLs of the gateway's own storage. Absent: one is made and kept in the store. */
  readonly secret?: string | undefined
  /** Of one file. */
  readonly maxBytes: number
  /** Whether the operator has said so: storages that do not count by themselves are held to it. */
  readonly isLimited?: boolean | undefined
  /** How long the gateway's own storage keeps a file, in days. Absent: until somebody deletes it. */
  readonly keepDays?: number | undefined
  /** Media types and families (`image/*`) that are taken. Absent: all. */
  readonly types?: readonly string[] | undefined
  /** Of the gateway's own storage, `local`. Absent: there is none. */
  readonly directory?: string | undefined
  /** The others. */
  readonly storages: readonly S3Setting[]
}

export const defaultUploads: UploadsSetting = {
  default: localName,
  maxBytes: 512 * 1024 * 1024,
  keepDays: 30,
  directory: '.dragoman/uploads',
  storages: [],
}

/** How long a signed URL lives: 15 minutes. */
export const urlLifetimeMs = 15 * 60_000
