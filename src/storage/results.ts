import { randomUUID } from 'node:crypto'

import type { Reply } from '../contract/outcome.ts'
import type { ReachedAt } from '../contract/storage.ts'
import type { PublicUrl } from '../kit/public-url.ts'
import { createTimedSweep, expiryDirectory, sweepExpired } from './sweep.ts'
import { diskFailed, unknownFile } from './failures.ts'
import { type ServedExchange, serveFile } from './local/serve-file.ts'
import { type OpenFile, createDisk } from './local/disk.ts'
import { type SignedRequest, createLocalUrls } from './local/urls.ts'
import type { Signer } from './signer.ts'

/** Publishes files for a limited time, where the account offers no URL for them. */
export interface Results {
  /**
   * Stores bytes and resolves with an absolute URL that is valid for `lifetimeMs` milliseconds and
   * needs no API key. `type` is the media type, if known; `request` is the one that gets it. Rejects if the
   * gateway's address is unknown, its signing secret cannot be read or the disk fails.
   */
  publish(
    bytes: Buffer,
    type: string | undefined,
    lifetimeMs: number,
    request?: ReachedAt,
  ): Promise<string>
}

/** The directory of published files, and the endpoint of their URLs. */
export interface ResultStorage extends Results {
  /** Serves a file. Rejects with `GatewayError` 403 for a bad or expired signature, 404 for no file. */
  answer(request: SignedRequest, exchange: ServedExchange): Promise<Reply>
  /** Deletes expired files, now and periodically. Other processes may do the same concurrently. */
  beginSweeping(): void
  close(): void
}

/** The options of the result storage. */
interface ResultOptions {
  /** Replicas must share it. */
  readonly directory: string
  readonly signer: Signer
  readonly publicUrl: PublicUrl
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly onSweepError: (error: unknown) => void
  /** The time between sweeps, in milliseconds. */
  readonly sweepMs?: number
  readonly openFile?: OpenFile | undefined
}

/** The name of the result storage in URLs and signatures. */
export const resultsName = 'results'

/** Creates the result storage. It does not access the directory before the first file or sweep. */
export function createResults(options: ResultOptions): ResultStorage {
  const { directory, now, onSweepError, sweepMs = 60_000 } = options
  const disk = createDisk(options)
  const urls = createLocalUrls({
    ...options,
    name: resultsName,
    renewal: 'repeat the request that created its content.',
  })
  const sweeping = createTimedSweep({
    sweep: () => sweepExpired(directory, now()),
    everyMs: sweepMs,
    onError: onSweepError,
  })

  return {
    async publish(bytes, type, lifetimeMs, request) {
      // The signature has whole seconds; rounding up keeps the promised lifetime.
      const expiresAt = Math.ceil((now() + lifetimeMs) / 1_000) * 1_000
      const owner = expiryDirectory(expiresAt)
      const id = randomUUID()
      const path = id + extensionOf(type)
      const url = await urls.sign({ method: 'GET', owner, path, expiresAt }, request)
      await using file = await disk.begin({ id, path, type })
      await file.append(bytes)
      await file.flush()
      await file.publish(owner, { overwrite: false })
      return url
    },
    async answer(request, exchange) {
      const { owner, path } = await urls.verify(request)
      const file = await disk.open(owner, path).catch(diskFailed)
      if (!file) throw unknownFile()
      return serveFile(file, exchange)
    },
    beginSweeping: () => sweeping.begin(),
    close: () => sweeping.close(),
  }
}

/** The extension for an image type, so that a saved file opens by its name. */
function extensionOf(type: string | undefined): string {
  const [, subtype] = /^image\/([a-z]+)$/.exec(type ?? '') ?? []
  return subtype === undefined ? '' : `.${subtype === 'jpeg' ? 'jpg' : subtype}`
}
