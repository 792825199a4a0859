import type { Readable } from 'node:stream'

import type { JsonObject } from '../lib/json/object.ts'
import type { Caller } from './request.ts'

/** How the requests of a dialect name files, and how they hold one's bytes instead. */
export interface FileFields {
  /**
   * Members that lead to content, from the body on. Into nothing else is looked: arguments and schemas
   * of tools are the client's own, whatever they look like.
   */
  readonly contentMembers: ReadonlySet<string>
  /** The file that an object on the way names, which stands under `key`. */
  find(node: JsonObject, key: string): FileField | undefined
}

export interface FileField {
  /** The member of the object that gives way. */
  readonly member: string
  /** The text in it by which the file is named, and where it stands in there. */
  readonly name: string
  readonly within?: string
  /** What the client says of its type. */
  readonly mediaType?: string | undefined
  /** The members that take its place, with the bytes in them. */
  inline(file: InlinedFile): JsonObject
  /** The same with a URL that the account reads. Absent where accounts take none. */
  link?(url: string): JsonObject
}

/** A file as it goes into a request. */
export interface InlinedFile {
  /** The last part of its path: `cat.png`. */
  readonly name: string
  readonly mediaType: string
  readonly bytes: Buffer
}

/** Files that clients have uploaded, for operations that take them by their path. */
export interface Files {
  /** What paths begin with, before `://`. */
  readonly schemes: readonly string[]
  /** Whether a text is a path to one of the gateway's storages, whoever may read what is there. */
  owns(path: string): boolean
  /**
   * A file named by `<scheme>://...`, open: its stream has to be read or destroyed. Throws
   * `GatewayError`: 404 where it is not there or another key's, 503 where its storage cannot tell.
   */
  open(path: string, caller: Caller): Promise<OpenedFile>
  /**
   * A URL from which an account can read it for 15 minutes; `undefined` where only this gateway can
   * reach its storage. Throws as `open` does, but does not look whether the file is there.
   */
  urlFor(path: string, caller: Caller): Promise<string | undefined>
}

/** What is in a file. */
export interface OpenedFile {
  readonly stream: Readable
  /** In bytes. */
  readonly size: number
  /** As it was said to be when it was uploaded: nobody has looked at the bytes. */
  readonly type: string | undefined
}
