import type { IncomingHttpHeaders } from 'node:http'

import type { RemoteFile } from '../contract/services.ts'
import { acceptBytes } from './content.ts'
import type { DialOptions } from './dial.ts'
import { type DownloadReply, download } from './download.ts'
import { RemoteFailure } from './failure.ts'
import { acceptContentType, preferring } from './media-type.ts'
import { checkTarget } from './target.ts'

export interface RedirectOptions extends DialOptions {
  readonly signal: AbortSignal
  readonly allowHttp: boolean
  readonly maxBytes: number
  readonly maxRedirects: number
  /** Content types. */
  readonly accepted: readonly string[]
  readonly onBytes: (count: number) => void
}

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** Goes from one URL to the next until there is a file, and checks each but the first, which was. */
export async function followRedirects(start: URL, options: RedirectOptions): Promise<RemoteFile> {
  let url = start
  for (let hops = 0; ; hops++) {
    const answer = await download(url, askFor(options))
    if (!redirects.has(answer.status)) return fileOf(answer, options)
    if (hops === options.maxRedirects) {
      throw new RemoteFailure(`it was redirected more than ${options.maxRedirects} times`)
    }
    url = nextUrl(answer, url, options.allowHttp)
  }
}

/** How one download is asked for, and when it is refused before its end. */
function askFor({ maxBytes, accepted, onBytes, ...rest }: RedirectOptions) {
  let size = 0
  return {
    ...rest,
    headers: {
      accept: preferring(accepted),
      'accept-encoding': 'identity',
      'user-agent': 'dragoman',
    },
    wantsBody(status: number, headers: IncomingHttpHeaders): boolean {
      if (redirects.has(status)) return false
      checkHead(status, headers, maxBytes)
      acceptContentType(headers['content-type'], accepted)
      return true
    },
    onBytes(count: number): void {
      size += count
      if (size > maxBytes) throw tooLarge(maxBytes)
      onBytes(count)
    },
  }
}

/** A stated length only ever refuses: the bytes are counted all the same. */
function checkHead(status: number, headers: IncomingHttpHeaders, maxBytes: number): void {
  if (status !== 200) throw new RemoteFailure(`its host answered ${status}`)
  if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity') {
    throw new RemoteFailure('its host sent it compressed, although asked not to')
  }
  if (Number(headers['content-length']) > maxBytes) throw tooLarge(maxBytes)
}

function tooLarge(maxBytes: number): RemoteFailure {
  return new RemoteFailure(`it is larger than ${maxBytes} bytes`)
}

function fileOf({ headers, body }: DownloadReply, { accepted }: RedirectOptions): RemoteFile {
  const type = acceptContentType(headers['content-type'], accepted)
  return { bytes: acceptBytes(body, type), mediaType: type.mediaType }
}

/**
 * Where a redirect leads; from `https` nowhere else. What it says is not repeated to the client: it
 * may name internal hosts.
 */
function nextUrl({ headers }: DownloadReply, from: URL, allowHttp: boolean): URL {
  const next = headers.location === undefined ? null : URL.parse(headers.location, from)
  if (next === null) throw new RemoteFailure('it was redirected to nowhere')
  checkTarget(next, allowHttp && from.protocol === 'http:')
  return next
}
