import type { RemoteFetch, RemoteFile } from '../contract/services.ts'
import { fetchingDisabled, toClientError } from './failure.ts'
import { type RemoteOptions, withDefaults } from './options.ts'
import { checkTarget } from './target.ts'

/**
 * Creates a stand-in for `createRemoteFetch` that sends nothing: it checks the URL, and returns an empty
 * file of the first accepted type.
 */
export function createUnsentFetch(options: RemoteOptions = {}): RemoteFetch {
  const { allowHttp, maxFiles } = withDefaults(options)
  return async (text, _signal, { field = unnamed, accepted = [] } = {}): Promise<RemoteFile> => {
    const url = URL.parse(text)
    try {
      if (maxFiles === 0) throw fetchingDisabled()
      checkTarget(url, allowHttp)
    } catch (thrown) {
      throw toClientError(thrown, field, url)
    }
    return { bytes: Buffer.alloc(0), mediaType: accepted[0] ?? 'application/octet-stream' }
  }
}

const unnamed = { param: 'url', label: '`url`' }
