import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

import type { Account, ForwardedNames } from '../contract/account.ts'
import type { Upstream } from '../contract/dialect-info.ts'
import {
  isPersonalHeader,
  isRefusedHeader,
  isRefusedParameter,
  isUnsafeParameter,
} from './refused-names.ts'
import { redactHeader } from '../kit/secrets/redact.ts'
import { computedOnce } from '../lib/computed-once.ts'
import { decodingsOf } from '../lib/decodings.ts'

/** Headers that accounts of every dialect may get. */
const commonHeaders: readonly string[] = [
  'user-agent',
  'idempotency-key',
  'x-client-request-id',
  'x-stainless-*',
  // Sessions, by which providers find cached prompts (docs/routing.md).
  'session-id',
  'session_id',
  'x-session-id',
  'x-session-affinity',
  // Controls the sandbox (docs/sandbox.md).
  'x-sandbox',
]

/** Decides by name which parts of a client's request go to an account. */
interface Filter {
  header(name: string): boolean
  parameter(name: string): boolean
}

const filtersOf = computedOnce((upstream: Upstream) =>
  computedOnce((names: ForwardedNames) => createFilter(upstream, names)),
)
const noNames: ForwardedNames = { headers: [], query: [] }

/** The filter of a dialect and an account. Accounts without names of their own share one. */
function filterOf(upstream: Upstream, { forward = noNames }: Pick<Account, 'forward'>): Filter {
  return filtersOf(upstream)(forward)
}

function createFilter({ forward = {} }: Upstream, account: ForwardedNames): Filter {
  const headers = [...commonHeaders, ...(forward.headers ?? []), ...account.headers].map((name) =>
    name.toLowerCase(),
  )
  const exact = new Set(headers.filter((name) => !name.endsWith('*')))
  const beginnings = headers.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1))
  const query = new Set([...(forward.query ?? []), ...account.query])
  const begins = (name: string) =>
    beginnings.some((beginning) => name.startsWith(beginning)) && !isPersonalHeader(name)
  return {
    header: remember((name) => (exact.has(name) || begins(name)) && !isRefusedHeader(name)),
    parameter: (name) => query.has(name.replace(/\[\]$/, '')) && !isRefusedParameter(name),
  }
}

/** The recipient of a client's headers and query parameters, and the client's key, which it never gets. */
export interface Recipient {
  readonly upstream: Upstream
  readonly account: Pick<Account, 'forward'>
  readonly credential: string | undefined
  /** The id of the caller's key. */
  readonly keyId: string
}

/**
 * Returns the client's headers for a request to an account: those that every dialect, its dialect or its
 * configuration names, and no others.
 */
export function forwardedHeaders(
  headers: IncomingHttpHeaders,
  { upstream, account, credential, keyId }: Recipient,
): Record<string, string> {
  const filter = filterOf(upstream, account)
  const forwarded: Record<string, string> = {}
  const named = headers.connection
    ?.toLowerCase()
    .split(',')
    .map((name) => name.trim())
  for (const name in headers) {
    if (!filter.header(name) || named?.includes(name)) continue
    const value = headers[name]
    if (value === undefined) continue
    const text = Array.isArray(value) ? value.join(', ') : value
    // A dialect of a plugin may read the key from a header of its own.
    if (credential !== undefined && text.includes(credential)) continue
    forwarded[name] = name === 'idempotency-key' ? idempotencyKey(keyId, text) : text
  }
  return forwarded
}

/**
 * The account sees one client. With the same value from two keys of the gateway it would give the second
 * one the reply of the first, so each key has values of its own.
 */
function idempotencyKey(keyId: string, value: string): string {
  return hash('sha256', JSON.stringify([keyId, value]))
}

/** A pair that every server reads alike: no separators, delimiters or control characters. */
const plainPair = /^(?:[\w.~+[\]-]|%[\da-f]{2})+(?:=(?:[\w.~+[\]:,/@!*$'()-]|%[\da-f]{2})*)?$/i

/**
 * Returns the query for a request to an account, as `forwardedHeaders` does the headers. Parameters that
 * pass stay byte for byte, unless servers could read them in different ways: these are encoded again.
 */
export function forwardedQuery(
  query: string,
  { upstream, account, credential }: Recipient,
): string {
  if (query === '') return query
  return passingPairs(query, credential, filterOf(upstream, account).parameter)
}

/** The query for an account that gets all parameters but those that may hold a credential or change what is asked. */
export function opaqueQuery(query: string, credential: string | undefined): string {
  return query === '' ? query : passingPairs(query, credential, (name) => !isUnsafeParameter(name))
}

function passingPairs(
  query: string,
  credential: string | undefined,
  passes: (name: string) => boolean,
): string {
  const passing = query.split('&').flatMap((pair) => {
    const [entry] = new URLSearchParams(pair)
    if (!entry) return []
    const [name, value] = entry
    if (!passes(name)) return []
    const texts = decodingsOf(name + value)
    if (credential !== undefined && texts.some((one) => one.includes(credential))) return []
    return plainPair.test(pair) ? pair : new URLSearchParams([entry]).toString()
  })
  return passing.join('&')
}

const passedReplyHeaders = new Set([
  'retry-after',
  'retry-after-ms',
  'openai-processing-ms',
  'openai-version',
  'openai-poll-after-ms',
])

/**
 * Returns the upstream's reply headers that clients use: retries, times, versions. What is left of the account's own
 * limits is no client's business: it would say how busy others are, and contradict the limits of the gateway.
 */
export function passedHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  account: Account,
): Record<string, string> {
  const passed: Record<string, string> = {}
  for (const name in headers) {
    if (!passedReplyHeaders.has(name)) continue
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

/** Clients choose the names of headers, so that the cache is bounded: a head may be one name. */
const mostNames = 1_000
/** In characters. */
const longestName = 64

/** Caches a decision by header name. */
export function remember(decide: (name: string) => boolean): (name: string) => boolean {
  const known = new Map<string, boolean>()
  return (name) => {
    let decision = known.get(name)
    if (decision === undefined) {
      decision = decide(name)
      if (known.size < mostNames && name.length <= longestName) known.set(name, decision)
    }
    return decision
  }
}
