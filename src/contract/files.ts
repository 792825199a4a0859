import type { Readable } from 'node:stream'

import type { JsonObject } from '../lib/json/object.ts'
import type { Caller } from './request.ts'
import type { StoredData } from './stored-data.ts'

/** Finds the request fields of a dialect that name files, and replaces them with the files' bytes. */
export interface FileFields {
  /**
   * The members to descend into, from the body on. The gateway looks for files nowhere else: the
   * arguments and schemas of tools belong to the client.
   */
  readonly contentMembers: ReadonlySet<string>
  /** The beginning of the ids of files that accounts store, such as `file-`: see `AccountFiles`. Absent: there are none. */
  readonly idPrefix?: string
  /** The members whose own members, of any name, are to be descended into, too. Absent: there are none. */
  readonly dictionaries?: ReadonlySet<string>
  /** The members that hold lists of such ids. Absent: there are none. */
  readonly idLists?: ReadonlySet<string>
  /** The text parts of forms that hold such an id, each with its name in errors. Absent: there are none. */
  readonly idParts?: Readonly<Record<string, string>>
  /** Returns the file that an object names. `key` is the member under which the object stands. */
  find(node: JsonObject, key: string): FileField | undefined
}

/** A request field that names a file. */
export interface FileField {
  /** The member of the object to be replaced. */
  readonly member: string
  /** The file's name: the path of an upload, or a URL. */
  readonly name: string
  /** The member within `member` that holds the name. Absent: `member` itself. */
  readonly within?: string
  /** The media type that the client states. */
  readonly mediaType?: string | undefined
  /** Returns the members that replace it, with the file's bytes. Absent: the field has ids alone. */
  inline?(file: InlinedFile): JsonObject
  /** Returns the members that replace it, with a URL for the account. Absent: accounts accept no URL. */
  link?(url: string): JsonObject
}

/** A file whose bytes go into a JSON request. */
export interface InlinedFile {
  /** The last part of its path: `cat.png`. */
  readonly name: string
  readonly mediaType: string
  readonly bytes: Buffer
}

/** The files that clients have uploaded, for operations that accept their paths. */
export interface Files {
  /** The schemes of paths, without `://`. */
  readonly schemes: readonly string[]
  /** Whether a text is a path in one of the gateway's storages. Does not check access. */
  owns(path: string): boolean
  /**
   * Opens a file by its path, `<scheme>://...`. The caller has to read or destroy the stream. Rejects
   * with `GatewayError` 404 if the file does not exist or belongs to another API key, 503 if its
   * storage does not respond.
   */
  open(path: string, caller: Caller): Promise<OpenedFile>
  /**
   * Returns a URL from which an account can read the file for 15 minutes, or `undefined` if only this
   * gateway can reach the storage. Rejects as `open` does, but does not check that the file exists.
   */
  urlFor(path: string, caller: Caller): Promise<string | undefined>
}

/** The files, or cached contents, that accounts store for API keys, by the ids that the gateway gives them. */
export interface AccountFiles {
  /** The beginning of such ids, see `FileFields.idPrefix`. */
  readonly prefix: string
  readonly kind: Extract<StoredData['kind'], 'file' | 'cache'>
  /** In messages about an unknown one: `File`. */
  readonly title: string
  /** In messages about its account: `file`. */
  readonly noun: string
  /** Whether a text has the form of such an id. Any other id is the account's own. */
  owns(id: string): boolean
  /**
   * `undefined` for an unknown file, or one of another API key. Rejects with `GatewayError`
   * `lookup_unavailable` if the store does not answer.
   */
  find(id: string, caller: Caller): Promise<AccountFile | undefined>
}

/** A file that an account stores. */
export interface AccountFile {
  readonly accountId: string
  readonly upstreamId: string
}

/** An open file. */
export interface OpenedFile {
  readonly stream: Readable
  /** In bytes. */
  readonly size: number
  /** The media type that the client stated with the upload; the gateway has not checked it. */
  readonly type: string | undefined
}
