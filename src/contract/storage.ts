import type { OpenedFile } from './files.ts'

/**
 * Where uploaded files lie. The gateway decides who may upload what and whose file a path names; a
 * storage only signs and reads. A plugin adds one by its `storages`.
 */
export interface Storage {
  /** What requests call it (`storage_provider`), and the scheme of its paths: `s3`. */
  readonly name: string
  /** At least one; the first is meant where a request names no region. */
  readonly places: readonly StoragePlace[]
  /**
   * Whether it refuses by itself what is too large or of another type while a file arrives. Others
   * can hold a client only to what it has announced beforehand.
   */
  readonly inspects: boolean
  /** Whether whoever has a URL of it can read it, from anywhere. */
  readonly isPublic: boolean
  /** Where a file is to be sent by `PUT`. */
  upload(file: FileName, terms: UploadTerms): Promise<UploadTarget>
  /** A URL from which anybody can read it until it expires. */
  visit(file: FileName, expiresAt: number): Promise<string>
  /** Rejects with `GatewayError` 404 where there is none, 503 where that cannot be told. */
  open(file: FileName): Promise<OpenedFile>
}

/** A part of a storage, such as a bucket in a region. */
export interface StoragePlace {
  readonly region: string | undefined
  /** What stands in paths before the owner, `''` or ending in a slash: `bucket/prefix/`. */
  readonly root: string
}

/** A file, whether it is there or not. Both names have been checked: they climb nowhere. */
export interface FileName {
  readonly place: StoragePlace
  /** Stands for the API key, which it does not name: 32 hexadecimal digits. */
  readonly owner: string
  /** As the client chose it: `images/cat.png`. */
  readonly path: string
}

/** What a URL for an upload allows. Times are milliseconds since 1970. */
export interface UploadTerms {
  readonly expiresAt: number
  readonly maxBytes: number
  /** The exact size that the client has announced. */
  readonly size: number | undefined
  /** The media type that it has announced. */
  readonly type: string | undefined
  /** Whether a file of this name may be replaced. */
  readonly overwrite: boolean
}

export interface UploadTarget {
  readonly url: string
  /** What the `PUT` has to send besides the bytes, where it must send anything. */
  readonly headers?: Readonly<Record<string, string>>
}

/** The gateway's own storage. */
export const localName = 'local'

/** Schemes of what is no upload: whoever writes such a URL means another place. */
const schemes = new Set(['http', 'https', 'ws', 'wss', 'data', 'blob', 'file', 'ftp', 'gs', 'urn'])

/** Whether it can be the scheme of paths. */
export function isStorageName(name: string): boolean {
  return /^[a-z][a-z\d-]{0,31}$/.test(name) && !schemes.has(name)
}
