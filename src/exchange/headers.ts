import type { IncomingHttpHeaders } from 'node:http'

/** Headers of one connection, not of the request (RFC 9110 section 7.6.1), and those we set anew. */
const ownOrHopByHop = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'host',
  'expect',
  'content-length',
  'content-encoding',
  'accept-encoding',
  'accept',
  'content-type',
]

/** Who the client is and where it came from: no provider's business. */
const personal = [
  'authorization',
  'cookie',
  'baggage',
  'traceparent',
  'tracestate',
  'forwarded',
  'via',
  'x-real-ip',
  'x-client-ip',
  'true-client-ip',
  'openai-organization',
  'openai-project',
  'anthropic-workspace-id',
  'anthropic-user-profile-id',
  'provider-version',
  'x-goog-user-project',
  'x-request-id',
  'origin',
  'referer',
]

const dropped = new Set([...ownOrHopByHop, ...personal])
const droppedPrefixes = ['x-forwarded-', 'proxy-', 'cf-', 'x-amz', 'x-dragoman-', 'sec-']
const looksSecret =
  /(^|[-_])(authorization|cookies?|password|secret|token|credentials?|api[-_]?key|(access|subscription|functions?)[-_]key|auth|jwt|cert|passphrase|sso|organi[sz]ation|client-?ip)([-_]|$)/

const isForwarded = remember(
  (name) =>
    !dropped.has(name) &&
    !droppedPrefixes.some((prefix) => name.startsWith(prefix)) &&
    !looksSecret.test(name),
)

/** The client's headers that may go to an account: no credential, no cookie, no organisation. */
export function forwardedHeaders(
  headers: IncomingHttpHeaders,
  credential: string | undefined,
): Record<string, string> {
  const forwarded: Record<string, string> = {}
  const named = headers.connection
    ?.toLowerCase()
    .split(',')
    .map((name) => name.trim())
  for (const name in headers) {
    if (!isForwarded(name) || named?.includes(name)) continue
    const value = headers[name]
    if (value === undefined) continue
    const text = Array.isArray(value) ? value.join(', ') : value
    // A dialect may have its key in a header that nobody else knows.
    if (credential === undefined || !text.includes(credential)) forwarded[name] = text
  }
  return forwarded
}

const passedReplyHeaders = new Set([
  'retry-after',
  'retry-after-ms',
  'openai-processing-ms',
  'openai-version',
  'openai-poll-after-ms',
])
const passedReplyPrefixes = ['x-ratelimit-', 'anthropic-ratelimit-']
const passes = remember(
  (name) =>
    passedReplyHeaders.has(name) || passedReplyPrefixes.some((prefix) => name.startsWith(prefix)),
)

/** The upstream's reply headers that clients have a use for. */
export function passedHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  const passed: Record<string, string> = {}
  for (const name in headers) {
    if (!passes(name)) continue
    const value = headers[name]
    if (value !== undefined) passed[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return passed
}

/** What says which bytes of which file these are, and how they may be kept. */
const contentHeaders = [
  'content-type',
  // Some servers compress what was asked for as it is; the bytes pass as they are.
  'content-encoding',
  'content-length',
  'content-range',
  'content-disposition',
  'content-language',
  'accept-ranges',
  'etag',
  'last-modified',
  'expires',
]

/** The reply headers of a file that an account has. */
export function passedContentHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  const passed = passedHeaders(headers)
  for (const name of contentHeaders) {
    const value = headers[name]
    if (typeof value === 'string') passed[name] = value
  }
  return passed
}

/** The client's headers that say which bytes of a file it wants: of a `GET` alone (RFC 9110, 14.2). */
export function rangeHeaders({ method, headers }: RangedRequest): Record<string, string> {
  if (method !== 'GET') return {}
  const { range, 'if-range': ifRange } = headers
  return { ...(range && { range }), ...(typeof ifRange === 'string' && { 'if-range': ifRange }) }
}

interface RangedRequest {
  readonly method: string
  readonly headers: IncomingHttpHeaders
}

/** Header names repeat; strangers can invent them without end, so the memory is bounded. */
function remember(decide: (name: string) => boolean): (name: string) => boolean {
  const known = new Map<string, boolean>()
  return (name) => {
    let verdict = known.get(name)
    if (verdict === undefined) {
      verdict = decide(name)
      if (known.size < 1_000) known.set(name, verdict)
    }
    return verdict
  }
}
