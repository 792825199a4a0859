import type { IncomingHttpHeaders } from 'node:http'

import type { RemoteFile } from '../contract/services.ts'
import { acceptBytes } from './content.ts'
import type { DialOptions } from './dial.ts'
import { type DownloadReply, download } from './download.ts'
import { OversizedFile, RemoteFailure } from './failure.ts'
import { acceptContentType, acceptHeaderOf } from './media-type.ts'
import { checkTarget } from './target.ts'

/** The limits of a fetch with its redirects. */
interface RedirectOptions extends DialOptions {
  readonly signal: AbortSignal
  readonly allowHttp: boolean
  readonly maxBytes: number
  readonly maxRedirects: number
  /** The accepted content types. */
  readonly accepted: readonly string[]
  readonly onBytes: (count: number) => void
}

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** Follows redirects to a file. The caller has checked `start`; each redirect target is checked here. */
export async function followRedirects(start: URL, options: RedirectOptions): Promise<RemoteFile> {
  let url = start
  for (let hops = 0; ; hops++) {
    const reply = await download(url, downloadOptions(options))
    if (!redirectStatuses.has(reply.status)) return fileOf(reply, options)
    if (hops === options.maxRedirects) {
      throw new RemoteFailure(`it was redirected more than ${options.maxRedirects} times`)
    }
    url = nextUrl(reply, url, options.allowHttp)
  }
}

/** The options of one download: its headers and the checks that end it early. */
function downloadOptions({ maxBytes, accepted, onBytes, ...rest }: RedirectOptions) {
  let size = 0
  return {
    ...rest,
    headers: {
      accept: acceptHeaderOf(accepted),
      'accept-encoding': 'identity',
      'user-agent': 'dragoman',
    },
    wantsBody(status: number, headers: IncomingHttpHeaders): boolean {
      if (redirectStatuses.has(status)) return false
      checkHead(status, headers, maxBytes)
      acceptContentType(headers['content-type'], accepted)
      return true
    },
    onBytes(count: number): void {
      size += count
      if (size > maxBytes) throw new OversizedFile(maxBytes)
      onBytes(count)
    },
  }
}

/** Checks the head of a reply. A stated length is not trusted: the bytes are counted as well. */
function checkHead(status: number, headers: IncomingHttpHeaders, maxBytes: number): void {
  if (status !== 200) throw new RemoteFailure(`its host replied with status ${status}`)
  if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity') {
    throw new RemoteFailure('its host sent it compressed, against the request')
  }
  if (Number(headers['content-length']) > maxBytes) throw new OversizedFile(maxBytes)
}

function fileOf({ headers, body }: DownloadReply, { accepted }: RedirectOptions): RemoteFile {
  const type = acceptContentType(headers['content-type'], accepted)
  return { bytes: acceptBytes(body, type), mediaType: type.mediaType }
}

/**
 * The target of a redirect. A redirect from `https` must stay on `https`. Messages do not repeat the
 * target, which may name internal hosts.
 */
function nextUrl({ headers }: DownloadReply, from: URL, allowHttp: boolean): URL {
  const next = headers.location === undefined ? null : URL.parse(headers.location, from)
  if (next === null) throw new RemoteFailure('its redirect has no valid target')
  checkTarget(next, allowHttp && from.protocol === 'http:')
  return next
}
