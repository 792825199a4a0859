import type { OpenedFile } from './files.ts'
import type { ClientRequest } from './request.ts'

/**
 * A storage for uploads. It only signs URLs and reads files; the gateway checks permissions and the
 * ownership of files. A plugin adds one by `storages`.
 */
export interface Storage {
  /** The value of `storage_provider` in requests, and the scheme of paths, such as `s3`. */
  readonly name: string
  /** At least one. The first is the default for requests that name no region. */
  readonly places: readonly StoragePlace[]
  /**
   * Whether it rejects a file of the wrong size or type while the file arrives. Other storages can
   * only enforce a size and a type that the client announces beforehand.
   */
  readonly inspects: boolean
  /** Whether its URLs are reachable from anywhere. */
  readonly isPublic: boolean
  /** Returns the URL and headers for the `PUT` of a file. `request` is the one that asks for it. */
  upload(file: FileName, terms: UploadTerms, request?: ReachedAt): Promise<UploadTarget>
  /**
   * Returns a URL from which every client can read the file until `expiresAt`, in milliseconds since 1970.
   * `request` is the one that asks for it; absent: the URL is for an account.
   */
  visit(file: FileName, expiresAt: number, request?: ReachedAt): Promise<string>
  /** Opens a file. Rejects with `GatewayError` 404 if it does not exist, 503 if the storage fails. */
  open(file: FileName): Promise<OpenedFile>
}

/** Where a request has reached this gateway. */
export type ReachedAt = Pick<ClientRequest, 'publicUrl'>

/** A part of a storage, such as a bucket in a region. */
export interface StoragePlace {
  readonly region: string | undefined
  /** The prefix of paths before the owner: `''`, or ending in a slash, such as `bucket/prefix/`. */
  readonly root: string
}

/** The name of a file, which need not exist. The gateway has checked that it contains no `..`. */
export interface FileName {
  readonly place: StoragePlace
  /** A digest of the API key's id: 32 hexadecimal digits. */
  readonly owner: string
  /** The path that the client chose, such as `images/cat.png`. */
  readonly path: string
}

/** The conditions of an upload by URL. */
export interface UploadTerms {
  /** Milliseconds since 1970. */
  readonly expiresAt: number
  readonly maxBytes: number
  /** The exact size in bytes, if the client announces one. */
  readonly size: number | undefined
  /** The media type, if the client announces one. */
  readonly type: string | undefined
  /** Whether the upload may replace an existing file. */
  readonly overwrite: boolean
}

/** A URL for a `PUT`. */
export interface UploadTarget {
  readonly url: string
  /** Headers that the `PUT` must have. */
  readonly headers?: Readonly<Record<string, string>>
}

/** The name of the gateway's own storage. */
export const localName = 'local'

/** Schemes of other URLs, which no storage may take. */
const schemes = new Set(['http', 'https', 'ws', 'wss', 'data', 'blob', 'file', 'ftp', 'gs', 'urn'])

/** Whether a text can be the name of a storage, and thus the scheme of its paths. */
export function isStorageName(name: string): boolean {
  return /^[a-z][a-z\d-]{0,31}$/.test(name) && !schemes.has(name)
}
