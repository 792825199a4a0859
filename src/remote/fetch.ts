import { startDeadline } from './deadline.ts'
import { fetchesNone, RemoteFailure, toClientError, tooBusy } from './failure.ts'
import { follow, type RemoteFile } from './follow.ts'
import { createAddressGuard } from './guard.ts'
import { type RemoteOptions, withDefaults } from './options.ts'
import { createSlots } from './slots.ts'
import { checkTarget } from './target.ts'
import type { UrlField } from './url-fields.ts'

/** What a fetch is for. */
export interface RemoteUse {
  /** The client's field that holds the URL, for messages. */
  readonly field?: UrlField
  /** Content types that are expected; absent, all of the options. */
  readonly accepted?: readonly string[]
  /** Told of every piece before it is kept. Throws to end the fetch. */
  readonly onBytes?: (count: number) => void
}

/**
 * Fetches a client's file from the public internet. Rejects with a `GatewayError`: `invalid_value`
 * whatever is wrong with the URL, its host or the file, `client_closed_request` when the signal
 * fires, and `lookup_unavailable` when no slot came free in time.
 */
export type RemoteFetch = (
  url: string,
  signal?: AbortSignal,
  use?: RemoteUse,
) => Promise<RemoteFile>

const unnamed: UrlField = { param: 'url', label: '`url`' }

/** Makes the fetch of remote files. Throws where an option is malformed. */
export function createRemoteFetch(options: RemoteOptions = {}): RemoteFetch {
  const settings = withDefaults(options)
  const { allowHttp, timeoutMs, mediaTypes, maxFiles } = settings
  const permits = createAddressGuard(settings)
  const slots = createSlots(settings.concurrency)
  const all = Object.values(mediaTypes).flat()
  const tooSlow = () => new RemoteFailure(`it took longer than ${timeoutMs / 1_000} s`)

  return async (text, client, { field = unnamed, accepted = all, onBytes = () => {} } = {}) => {
    const url = URL.parse(text)
    try {
      if (maxFiles === 0) throw fetchesNone()
      checkTarget(url, allowHttp)
      using patience = startDeadline(timeoutMs, tooBusy, client)
      using _slot = await slots.take(patience.signal)
      using time = startDeadline(timeoutMs, tooSlow, client)
      return await follow(url, { ...settings, permits, accepted, signal: time.signal, onBytes })
    } catch (thrown) {
      throw toClientError(thrown, field, url)
    }
  }
}
