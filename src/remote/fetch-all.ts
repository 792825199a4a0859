import { GatewayError } from '../contract/errors.ts'
import { startDeadline } from './deadline.ts'
import {
  type MediaPart,
  type RemotePart,
  checkPart,
  expectedTypes,
  withContent,
} from './media-parts.ts'
import type { RemoteFetch, UrlField } from '../contract/services.ts'
import type { RemoteSettings } from './options.ts'
import { createSemaphore } from '../lib/semaphore.ts'

export interface FetchAllOptions {
  readonly settings: RemoteSettings
  readonly fieldOf: (part: RemotePart) => UrlField
  readonly client: AbortSignal | undefined
}

/** A file that is to be fetched once. */
export interface WantedFile {
  readonly url: string
  /** Where the client named it first. */
  readonly field: UrlField
  /** All that it is for. */
  readonly parts: readonly RemotePart[]
}

/** The parts with their content, by the parts as they were. Nothing is under way when it settles. */
export async function fetchAll(
  files: readonly WantedFile[],
  fetch: RemoteFetch,
  { settings, fieldOf, client }: FetchAllOptions,
): Promise<Map<MediaPart, MediaPart>> {
  const { filesAtOnce, maxTotalBytes, mediaTypes, totalTimeoutMs } = settings
  const pending = new Set(files)
  const tooSlow = () => together(`took longer than ${totalTimeoutMs / 1_000} s`, first(pending))
  using whole = startDeadline(totalTimeoutMs, tooSlow, client)
  const slots = createSemaphore(filesAtOnce)
  let left = maxTotalBytes

  async function inlined(wanted: WantedFile) {
    const { url, field, parts } = wanted
    using _slot = await slots.take(whole.signal)
    try {
      const file = await fetch(url, whole.signal, {
        field,
        accepted: [...new Set(parts.flatMap((part) => expectedTypes(part, mediaTypes)))],
        onBytes(count) {
          left -= count * parts.length
          if (left < 0) throw together(`are larger than ${maxTotalBytes} bytes`, wanted)
        },
      })
      for (const part of parts) checkPart(part, file, mediaTypes, fieldOf(part))
      pending.delete(wanted)
      const base64 = file.bytes.toString('base64')
      return parts.map((part) => [part, withContent(part, file, base64)] as const)
    } catch (thrown) {
      // Before the slot is given back, so that no other begins.
      whole.end(thrown)
      throw thrown
    }
  }

  const fetches = files.map(inlined)
  try {
    return new Map((await Promise.all(fetches)).flat())
  } catch (thrown) {
    // What ended them all, whichever of them ended first.
    whole.signal.throwIfAborted()
    throw thrown
  } finally {
    await Promise.allSettled(fetches)
  }
}

function first(files: ReadonlySet<WantedFile>): WantedFile | undefined {
  return files.values().next().value
}

function together(what: string, wanted: WantedFile | undefined): GatewayError {
  return new GatewayError('invalid_value', `The remote files of the request ${what} together.`, {
    ...(wanted && { param: wanted.field.param }),
  })
}
