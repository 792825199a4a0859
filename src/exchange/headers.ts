import type { IncomingHttpHeaders } from 'node:http'

import type { Account } from '../contract/account.ts'
import { redactHeader } from '../kit/redact.ts'
import { remember } from './remember.ts'

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

/**
 * Returns the upstream's reply headers that clients use: rate limits, retries, versions. Their values
 * disclose nothing about the account.
 */
export function passedHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  account: Account,
): Record<string, string> {
  const passed: Record<string, string> = {}
  for (const name in headers) {
    if (!passes(name)) continue
    const value = headers[name]
    if (value === undefined) continue
    passed[name] = redactHeader(Array.isArray(value) ? value.join(', ') : value, account)
  }
  return passed
}

/** Headers that describe a file's bytes. */
const contentHeaders = [
  'content-type',
  // Some servers compress although the request does not allow it; the bytes pass unchanged.
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

/** Returns the reply headers for a file of an account. */
export function passedContentHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  account: Account,
): Record<string, string> {
  const passed = passedHeaders(headers, account)
  for (const name of contentHeaders) {
    const value = headers[name]
    if (typeof value === 'string') passed[name] = redactHeader(value, account)
  }
  return passed
}

/** Returns the client's range headers, which only a `GET` may have (RFC 9110 section 14.2). */
export function rangeHeaders({ method, headers }: RangedRequest): Record<string, string> {
  if (method !== 'GET') return {}
  const { range, 'if-range': ifRange } = headers
  return { ...(range && { range }), ...(typeof ifRange === 'string' && { 'if-range': ifRange }) }
}

interface RangedRequest {
  readonly method: string
  readonly headers: IncomingHttpHeaders
}
