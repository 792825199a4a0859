import { Readable } from 'node:stream'

import type { Outbound, StreamedBody } from '../contract/outbound.ts'
import { GatewayError } from '../contract/errors.ts'

/** Headers of the connection, and those that follow from the body: the gateway alone sets them. */
const ofConnection: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/**
 * The request that an `onAttempt` hook makes of `given`: path, headers and body may differ. Names of headers become
 * lower case, and of two that differ by case the later one counts. Throws for all else; no message repeats a value,
 * which may be a secret.
 */
export function changedOutbound(given: Outbound, changed: Outbound): Outbound {
  const { method, origin, path, headers, body } = changed
  if (method !== given.method) throw refused('another method')
  if (origin !== given.origin) throw refused('another origin: the address belongs to the account')
  // A path of two slashes, of which one may lean back, or a whole URL, names another host for some servers and proxies.
  if (typeof path !== 'string' || !/^\/(?!\/)[\x21\x22\x24-\x5b\x5d-\x7e]*$/.test(path)) {
    throw refused('a path that does not begin with one slash, or is not percent-encoded')
  }
  return {
    method,
    origin,
    path,
    headers: headers === given.headers ? headers : checkedHeaders(headers, new URL(origin).host),
    body: body === given.body ? body : checkedBody(body),
    upgrade: given.upgrade,
    answer: given.answer,
  }
}

function checkedHeaders(
  headers: Readonly<Record<string, string | undefined>>,
  host: string,
): Record<string, string> {
  const checked: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    // RFC 9110, 5.6.2.
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name))
      throw refused('a header whose name HTTP does not permit')
    const lower = name.toLowerCase()
    if (value === undefined) {
      delete checked[lower]
      continue
    }
    if (typeof value !== 'string' || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
      throw refused(`the header \`${lower}\` with a line break, or a value that is no text of HTTP`)
    }
    if (ofConnection.has(lower)) throw refused(`the header \`${lower}\`, which the gateway sets`)
    if (lower === 'host' && value !== host) throw refused('the header `host` of another host')
    checked[lower] = value
  }
  return checked
}

function checkedBody(body: Outbound['body']): Outbound['body'] {
  if (body === null || Buffer.isBuffer(body)) return body
  const { length, open } = Object(body) as Partial<StreamedBody>
  if (typeof open !== 'function' || !Number.isSafeInteger(length) || length! < 0) {
    throw refused('a body that is neither null, a Buffer nor `{ length, open() }`')
  }
  return { length: length!, open: () => Readable.from(exactly(body), { objectMode: false }) }
}

/** The bytes of a body. Its errors, and another length than the stated one, are the plugin's and not the account's. */
async function* exactly(body: StreamedBody): AsyncGenerator<Buffer> {
  let left = body.length
  try {
    for await (const piece of body.open() as AsyncIterable<Uint8Array | string>) {
      // Throws for a value that is neither.
      const chunk = typeof piece === 'string' ? Buffer.from(piece) : bytesOf(piece)
      left -= chunk.length
      if (left < 0) break
      yield chunk
    }
  } catch (cause) {
    if (GatewayError.isInstance(cause)) throw cause
    throw new GatewayError('plugin_failed', 'A plugin cannot read its body.', { cause })
  }
  if (left === 0) return
  throw new GatewayError('plugin_failed', 'A body of a plugin has another length than it states.')
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}

function refused(what: string): TypeError {
  return new TypeError(`The changed request has ${what}.`)
}
