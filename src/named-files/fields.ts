import type { JsonObject } from '../codec.ts'

/** How the requests of a dialect name files, and how they hold one's bytes instead. */
export interface FileFields {
  /**
   * Members that lead to content, from the body on. Into nothing else is looked: arguments and schemas
   * of tools are the client's own, whatever they look like.
   */
  readonly leads: ReadonlySet<string>
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
  hold(file: HeldFile): JsonObject
  /** The same with a URL that the account reads. Absent where accounts take none. */
  link?(url: string): JsonObject
}

/** A file as it goes into a request. */
export interface HeldFile {
  /** The last part of its path: `cat.png`. */
  readonly name: string
  readonly mediaType: string
  readonly bytes: Buffer
}
