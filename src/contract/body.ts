import type { Readable } from 'node:stream'

import type { ByteEdit } from '../lib/json/edit.ts'
import type { ByteRange } from '../lib/json/scan.ts'

/** One part of a form. Where it stands, not what is in it: that may be large, and is on disk. */
export interface FormPart {
  readonly name: string
  /** Decoded, without a path. `undefined` for a part that is no file. */
  readonly filename: string | undefined
  /** Its content type as it was written. */
  readonly type: string | undefined
  /** The byte range of its content within the whole body. */
  readonly start: number
  readonly end: number
}

/**
 * A `multipart/form-data` body that has arrived whole and is kept in the spool until the exchange
 * has ended. Nothing of it is in memory but its short texts: what is read is read anew each time.
 */
export interface Form {
  /** With the boundary, as the client sent it. */
  readonly contentType: string
  /** Bytes of the whole body. */
  readonly size: number
  /** In order of arrival. */
  readonly parts: readonly FormPart[]
  /** Where the closing boundary's line begins: what is inserted here is the last part. */
  readonly end: number
  /** The first part of this name that has no filename. */
  text(name: string): string | undefined
  /** The first bytes of a part, or all there are. */
  read(part: FormPart, bytes: number): Promise<Buffer>
  /** A part's content. */
  open(part: FormPart): Readable
  /**
   * The whole body with these edits, as often as accounts are asked. An edit that ends where it
   * starts inserts. `length` is exact. Blanks after a boundary, which some readers stumble over, are
   * left out.
   */
  replay(edits?: readonly ByteEdit[]): FormReplay
}

export interface FormReplay {
  readonly stream: Readable
  readonly length: number
}

/** A JSON request body: the bytes as they came, what they mean, and where its members stand. */
export interface RequestBody {
  readonly bytes: Buffer
  readonly json: Readonly<Record<string, unknown>>
  /** Values of the top-level members, by name. */
  readonly members: ReadonlyMap<string, ByteRange>
  /** A form, where that is what came: `json` is `{}` then, and there are no bytes in memory. */
  readonly form?: Form
}
