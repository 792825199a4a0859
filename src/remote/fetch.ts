import type { RemoteFetch, UrlField } from '../contract/services.ts'
import { createSemaphore } from '../lib/semaphore.ts'
import { startDeadline } from './deadline.ts'
import { RemoteFailure, fetchingDisabled, toClientError, tooBusy } from './failure.ts'
import { followRedirects } from './follow.ts'
import { createAddressGuard } from './guard.ts'
import { type RemoteOptions, withDefaults } from './options.ts'
import { checkTarget } from './target.ts'

const unnamed: UrlField = { param: 'url', label: '`url`' }

/** The part of the concurrent fetches that one API key may have: slow hosts of one key do not delay other keys. */
const keyShare = 1 / 2

/** Creates the function that fetches one remote file. Throws `TypeError` for a malformed option. */
export function createRemoteFetch(options: RemoteOptions = {}): RemoteFetch {
  const settings = withDefaults(options)
  const { allowHttp, timeoutMs, mediaTypes, maxFiles } = settings
  const permits = createAddressGuard(settings)
  const slots = createSemaphore(settings.concurrency, Math.ceil(settings.concurrency * keyShare))
  const all = Object.values(mediaTypes).flat()
  const tooSlow = () => new RemoteFailure(`it took longer than ${timeoutMs / 1_000} s`)

  return async (
    text,
    client,
    { field = unnamed, accepted = all, maxBytes = Infinity, onBytes = () => {}, keyId } = {},
  ) => {
    const url = URL.parse(text)
    try {
      if (maxFiles === 0) throw fetchingDisabled()
      checkTarget(url, allowHttp)
      using patience = startDeadline(timeoutMs, tooBusy, client)
      using _slot = await slots.take(patience.signal, keyId)
      using time = startDeadline(timeoutMs, tooSlow, client)
      return await followRedirects(url, {
        ...settings,
        maxBytes: Math.min(settings.maxBytes, maxBytes),
        permits,
        accepted,
        signal: time.signal,
        onBytes,
      })
    } catch (thrown) {
      throw toClientError(thrown, field, url)
    }
  }
}
