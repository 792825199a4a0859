import { localName } from '../contract/storage.ts'
import type { S3Setting } from './s3/storage.ts'

/** The settings of uploads, validated and with defaults applied. */
export interface UploadsSetting {
  /** The storage for requests that name none. Absent if there is no storage. */
  readonly default?: string | undefined
  /** The secret that signs the URLs of the local storage. Absent: the store holds a generated one. */
  readonly secret?: string | undefined
  /** The largest file, in bytes. */
  readonly maxBytes: number
  /** Whether the operator set `maxBytes`; it then applies to storages that do not check uploads too. */
  readonly isLimited?: boolean | undefined
  /** The days after which the local storage deletes a file. Absent: it keeps files forever. */
  readonly keepDays?: number | undefined
  /** The accepted media types, also as `image/*`. Absent: all. */
  readonly types?: readonly string[] | undefined
  /** The directory of the local storage. Absent: there is no local storage. */
  readonly directory?: string | undefined
  /** The S3 storages. */
  readonly storages: readonly S3Setting[]
}

/** The settings of uploads without a configuration of uploads. */
export const defaultUploads: UploadsSetting = {
  default: localName,
  maxBytes: 512 * 1024 * 1024,
  keepDays: 30,
  directory: '.dragoman/uploads',
  storages: [],
}

/** The lifetime of a signed URL: 15 minutes, in milliseconds. */
export const urlLifetimeMs = 15 * 60_000
