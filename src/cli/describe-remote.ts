import type { RemoteSetting } from '../configuration/settings.ts'

/** What remote files of clients may be and where they may come from, in a line. */
export function describeRemote(remote: RemoteSetting): string {
  const { maxFiles, maxBytes, maxTotalBytes, timeoutMs, totalTimeoutMs, maxRedirects } = remote
  if (maxFiles === 0) return 'none are fetched'
  return [
    `${remote.allowHttp ? 'http and https' : 'https'} from ${describePlaces(remote)}`,
    `at most ${maxFiles} a request, of ${maxBytes} bytes (${maxTotalBytes} together)`,
    `within ${timeoutMs} ms (${totalTimeoutMs} together) and ${maxRedirects} redirects`,
  ].join(', ')
}

function describePlaces({ allow, forbid, ports }: RemoteSetting): string {
  const parts = [
    'public addresses',
    ports ? ` on port ${ports.join(', ')}` : '',
    forbid.length > 0 ? ` but ${forbid.join(', ')}` : '',
    allow.length > 0 ? ` and ${allow.join(', ')}` : '',
  ]
  return parts.join('')
}
