import type { Readable } from 'node:stream'

import type { ByteEdit } from '../lib/json/edit.ts'
import type { ByteRange } from '../lib/json/scan.ts'
import type { StreamedBody } from './outbound.ts'

/** One part of a form: its head, and the position of its content, which is on disk. */
export interface FormPart {
  readonly name: string
  /** Decoded, without a path. `undefined` for a part that is not a file. */
  readonly filename: string | undefined
  /** The content type as the client wrote it. */
  readonly type: string | undefined
  /** The byte range of its content within the whole body. */
  readonly start: number
  readonly end: number
}

/**
 * A complete `multipart/form-data` body in the spool, which deletes it when the exchange ends. Only
 * short text parts are in memory; every other read goes to the disk.
 */
export interface Form {
  /** With the boundary, as the client sent it. */
  readonly contentType: string
  /** Bytes of the whole body. */
  readonly size: number
  /** In order of arrival. */
  readonly parts: readonly FormPart[]
  /** The start of the closing boundary's line. An edit that inserts a last part inserts it here. */
  readonly end: number
  /** The text of the first part with this name and without a filename. */
  text(name: string): string | undefined
  /** At most the first `bytes` bytes of a part. */
  read(part: FormPart, bytes: number): Promise<Buffer>
  /** Opens a part's content. */
  open(part: FormPart): Readable
  /**
   * The whole body with edits applied, for one request to an account; it can be replayed any number
   * of times. An edit that ends where it starts inserts. Blanks after a boundary are left out, because
   * some servers do not accept them.
   */
  replay(edits?: readonly ByteEdit[]): FormReplay
}

/** A form's body for one request. */
export interface FormReplay {
  readonly stream: Readable
  /** The exact number of bytes of `stream`. */
  readonly length: number
}

/** A body of any type in the spool, which deletes it when the exchange ends. The gateway does not read it. */
export interface OpaqueBody extends StreamedBody {
  /** As the client wrote it. */
  readonly type: string | undefined
  /** At most the first `bytes` bytes. */
  read(bytes: number): Promise<Buffer>
}

/** A JSON request body: its bytes, its value, and the positions of its members. */
export interface RequestBody {
  /** As the client sent them, decompressed. */
  readonly bytes: Buffer
  readonly json: Readonly<Record<string, unknown>>
  /** Byte ranges of the top-level members' values, by name. */
  readonly members: ReadonlyMap<string, ByteRange>
  /** Where the strings and the names begin, in order, unless the body is tiny: see `hasString`. */
  readonly stringStarts?: ArrayLike<number>
  /** The size of a body above 1 KiB, and of the media in it. In bytes. */
  readonly measured?: { readonly bytes: number; readonly mediaBytes: number }
  /** Whether each look at all of the body is worth a turn of the event loop. */
  readonly isLarge?: boolean
  /**
   * Lets go of the parsed JSON, unless it is small. Its large members are then parsed again whenever they
   * are read.
   */
  releaseJson?(): void
  /**
   * Parses the body again, a large one in turns of the event loop, and takes the memory for a translation.
   * Rejects with `GatewayError` 503 without memory.
   */
  restoreJson?(): Promise<void>
  /**
   * Lets go of a body that is not small when an account has committed to the reply: `bytes` is empty, and `json`
   * has only the members up to 1 KiB, unless a translation uses it.
   */
  release?(): void
  /** Present if the client sent a form: then `json` is `{}` and `bytes` is empty. */
  readonly form?: Form
  /** Present if the operation takes any body and there is one: then `json` is `{}` and `bytes` is empty. */
  readonly opaque?: OpaqueBody
}
