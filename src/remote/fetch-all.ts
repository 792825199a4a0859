import { GatewayError } from '../contract/errors.ts'
import { startDeadline } from './deadline.ts'
import { OversizedFile } from './failure.ts'
import {
  type MediaPart,
  type RemotePart,
  checkPart,
  expectedTypes,
  discardRuleOf,
  withContent,
} from './media-parts.ts'
import type { RemoteFetch, UrlField } from '../contract/services.ts'
import type { RemoteSettings } from './options.ts'
import { createSemaphore } from '../lib/semaphore.ts'

/** The limits of a request, the names of its fields, the client's signal, and its API key. */
interface FetchAllOptions {
  readonly settings: RemoteSettings
  readonly fieldOf: (part: RemotePart) => UrlField
  readonly client: AbortSignal | undefined
  readonly keyId: string | undefined
}

/** A file to fetch once. */
interface FileToFetch {
  readonly url: string
  /** The first field that names it. */
  readonly field: UrlField
  /** The parts that use it. */
  readonly parts: readonly RemotePart[]
}

/**
 * Fetches files and resolves with the inlined part for each original part; `undefined` for a part that
 * is discarded. The first failure ends all fetches; every fetch has ended when it settles. Rejects with `GatewayError`.
 */
export async function fetchAll(
  files: readonly FileToFetch[],
  fetch: RemoteFetch,
  { settings, fieldOf, client, keyId }: FetchAllOptions,
): Promise<Map<MediaPart, MediaPart | undefined>> {
  const { concurrencyOfRequest, maxTotalBytes, mediaTypes, totalTimeoutMs } = settings
  const pending = new Set(files)
  const tooSlow = () =>
    totalLimitExceeded(`took longer than ${totalTimeoutMs / 1_000} s`, first(pending))
  using whole = startDeadline(totalTimeoutMs, tooSlow, client)
  const slots = createSemaphore(concurrencyOfRequest)
  let left = maxTotalBytes

  async function fetchOne(wanted: FileToFetch) {
    const { url, field, parts } = wanted
    using _slot = await slots.take(whole.signal)
    const limit = discardedAbove(parts)
    let counted = 0
    try {
      const file = await fetch(url, whole.signal, {
        field,
        keyId,
        accepted: [...new Set(parts.flatMap((part) => expectedTypes(part, mediaTypes)))],
        ...(limit !== undefined && { maxBytes: limit }),
        onBytes(count) {
          counted += count * parts.length
          left -= count * parts.length
          if (left < 0) throw totalLimitExceeded(`are larger than ${maxTotalBytes} bytes`, wanted)
        },
      })
      for (const part of parts) checkPart(part, file, mediaTypes, fieldOf(part))
      pending.delete(wanted)
      const base64 = file.bytes.toString('base64')
      return parts.map((part) => {
        const isDiscarded = file.bytes.length > (discardRuleOf(part)?.above ?? Infinity)
        return [part, isDiscarded ? undefined : withContent(part, file, base64)] as const
      })
    } catch (thrown) {
      if (limit !== undefined && limit <= settings.maxBytes && isOversized(thrown)) {
        left += counted
        pending.delete(wanted)
        return parts.map((part) => [part, undefined] as const)
      }
      // Ends the others before the slot is released, so that no further fetch begins.
      whole.end(thrown)
      throw thrown
    }
  }

  const fetches = files.map(fetchOne)
  try {
    return new Map((await Promise.all(fetches)).flat())
  } catch (thrown) {
    // The first failure is the reason of the signal; `Promise.all` may reject with a later one.
    whole.signal.throwIfAborted()
    throw thrown
  } finally {
    await Promise.allSettled(fetches)
  }
}

/** The size above which every one of these parts is discarded; `undefined` if one is not. */
function discardedAbove(parts: readonly RemotePart[]): number | undefined {
  const most = parts.reduce((so, part) => Math.max(so, discardRuleOf(part)?.above ?? Infinity), 0)
  return most === Infinity ? undefined : most
}

function isOversized(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.cause instanceof OversizedFile
}

function first(files: ReadonlySet<FileToFetch>): FileToFetch | undefined {
  return files.values().next().value
}

function totalLimitExceeded(excess: string, wanted: FileToFetch | undefined): GatewayError {
  return new GatewayError('invalid_value', `The remote files of the request ${excess} together.`, {
    ...(wanted && { param: wanted.field.param }),
  })
}
