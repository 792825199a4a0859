import { randomUUID } from 'node:crypto'

import type { Reply } from '../contract/outcome.ts'
import type { PublicUrl } from '../kit/public-url.ts'
import { createTimedSweep, minuteOf, sweepExpired } from './sweep.ts'
import { diskFailed, unknownFile } from './failures.ts'
import { type LocalReply, visit } from './local/visit.ts'
import { type OpenFile, createDisk } from './local/disk.ts'
import { linger } from './local/read-patiently.ts'
import { type Presented, createLocalUrls } from './local/urls.ts'
import type { Signer } from './signer.ts'

/** Files that the gateway itself hands out for a while, since no account does. */
export interface Results {
  /**
   * An absolute URL from which anybody can read these bytes for so long, in milliseconds. `type` is
   * their media type, where it is known. Rejects where the address of the gateway is not known, its
   * signing secret cannot be read or the disk does not take them.
   */
  publish(bytes: Buffer, type: string | undefined, lifetimeMs: number): Promise<string>
}

/** A directory of such files, and what answers at their URLs. */
export interface ResultStorage extends Results {
  /** Throws `GatewayError` 403 where a URL is not signed or its time is over, 404 without a file. */
  answer(presented: Presented, exchange: LocalReply): Promise<Reply>
  /** Deletes what has expired, now and from time to time. Other processes may do the same. */
  beginSweeping(): void
  close(): void
}

export interface ResultOptions {
  /** Shared by all replicas, where there are several. */
  readonly directory: string
  readonly signer: Signer
  readonly publicUrl: PublicUrl
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly onSweepError: (error: unknown) => void
  /** From one sweep to the next, in milliseconds. */
  readonly sweepMs?: number
  readonly openFile?: OpenFile | undefined
}

/** What stands for it in URLs, and in what is signed. */
export const resultsName = 'results'

/** Nothing is read or written in the directory before the first file or sweep. */
export function createResults(options: ResultOptions): ResultStorage {
  const { directory, now, onSweepError, sweepMs = 60_000 } = options
  const disk = createDisk(options)
  const urls = createLocalUrls({
    ...options,
    name: resultsName,
    renewal: 'have what was there made again.',
  })
  const sweeping = createTimedSweep({
    sweep: () => sweepExpired(directory, now()),
    everyMs: sweepMs,
    onError: onSweepError,
  })

  return {
    async publish(bytes, type, lifetimeMs) {
      // Signed are whole seconds: it lives no shorter than it should.
      const expiresAt = Math.ceil((now() + lifetimeMs) / 1_000) * 1_000
      const owner = minuteOf(expiresAt)
      const id = randomUUID()
      const path = id + extensionOf(type)
      const url = await urls.write({ method: 'GET', owner, path, expiresAt })
      await using file = await disk.begin({ id, path, type })
      await file.append(bytes)
      await file.flush()
      await file.publish(owner, { overwrite: false })
      return url
    },
    async answer(presented, exchange) {
      try {
        const { owner, path } = await urls.read(presented)
        const file = await disk.open(owner, path).catch(diskFailed)
        if (!file) throw unknownFile()
        return await visit(file, exchange)
      } finally {
        linger(exchange.request.stream)
      }
    },
    beginSweeping: () => sweeping.begin(),
    close: () => sweeping.close(),
  }
}

/** So that a file which somebody saves has a name that opens it. */
function extensionOf(type: string | undefined): string {
  const [, subtype] = /^image\/([a-z]+)$/.exec(type ?? '') ?? []
  return subtype === undefined ? '' : `.${subtype === 'jpeg' ? 'jpg' : subtype}`
}
