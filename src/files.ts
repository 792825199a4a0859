import type { Readable } from 'node:stream'

import type { Caller } from './exchange.ts'

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
