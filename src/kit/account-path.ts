import { GatewayError } from '../contract/errors.ts'
import type { Account, Root } from '../contract/account.ts'
import type { Upstream } from '../contract/dialect-info.ts'

/** In characters. */
const longestSegment = 1_024

/** The segments of a model's name. Contracts have one slash; some providers' names have three. */
const mostSegments = 8

/** Most names: no segment begins with a dot, and one slash at most. */
const plainName = /^[\w:@+-][\w.:@+-]{0,200}(?:\/[\w:@+-][\w.:@+-]{0,200})?$/

/** Characters that end a segment, or that servers and proxies split or drop. */
const unsafe = /[/\\?#;]|\p{Cc}|\p{Cs}/u

/** Some servers remove dots and spaces at the end of a segment, so that these can become `.` or `..`. */
const onlyDots = /^[.\s]*$/

/** How often servers and proxies on the way may decode a path. */
const mostDecodings = 4

/**
 * Whether a text can be one segment of a path and nothing else there, at every server and proxy on the
 * way: it has no slash, backslash, `?`, `#`, `;`, control character or lone surrogate, and is no dot
 * segment, however often it is percent-decoded, and after a compatibility normalisation.
 */
export function isSegment(text: string): boolean {
  if (text.length > longestSegment) return false
  let decoded = text
  for (let times = 0; times <= mostDecodings; times++) {
    if (!isPlain(decoded) || !isPlain(decoded.normalize('NFKC'))) return false
    if (!decoded.includes('%')) return true
    const next = percentDecoded(decoded)
    if (next === undefined) return false
    decoded = next
  }
  return false
}

function isPlain(text: string): boolean {
  return !unsafe.test(text) && !onlyDots.test(text)
}

/** `undefined` for an invalid encoding, such as an overlong one. */
function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Whether a text can name a model, in a body as in a path: segments that slashes separate. */
export function isModelName(name: string): boolean {
  if (plainName.test(name)) return true
  const segments = name.split('/', mostSegments + 1)
  return segments.length <= mostSegments && segments.every(isSegment)
}

/**
 * Fills a path pattern with values, percent-encoded: `{name}` is one segment, `{name+}` and `{name*}`
 * are segments that slashes separate, such as the name of a model. `{name/}` is one segment in which `%2F`
 * separates them: only for a dialect with `Upstream.encodesSlashes`. Throws `GatewayError` `not_found` for a
 * value that could leave its place.
 */
export function fillPath(pattern: string, values: Readonly<Record<string, string>>): string {
  return pattern.replaceAll(/\{(\w+)([+*/]?)\}/g, (_, name: string, repeat: string) => {
    const value = values[name] ?? ''
    const segments = repeat === '' ? [value] : value.split('/')
    if (!segments.every(isSegment)) throw unfit(value)
    return segments.map(encodeSegment).join(repeat === '/' ? '%2F' : '/')
  })
}

/** Leaves `:` and `@` as the official SDKs do. */
function encodeSegment(text: string): string {
  return encodeURIComponent(text).replace(/%(?:3A|40)/g, decodeURIComponent)
}

const cleanPath = /^(?:\/|(?:\/(?!\.{1,2}(?:\/|$))[\w!$&'()*+,\-.:=@~]+)+)$/

const encodedSegment = /^[\w!$&'()*+,\-.:=@~%]+$/

/**
 * Returns a path for an account. Throws `GatewayError` `not_found` for one that servers and proxies
 * understand in different ways: with a dot segment, an empty one, or an encoded slash or delimiter. `fillPath`
 * makes no such paths. With `encodesSlashes` a segment may consist of several that `%2F` separates: each of
 * them obeys the same rules, so a hop that decodes `%2F` gets no path that climbs, but the same names in more
 * segments.
 */
export function checkedPath(path: string, { encodesSlashes = false } = {}): string {
  if (cleanPath.test(path)) return path
  const [, ...segments] = path.split(encodesSlashes ? /\/|%2f/i : '/')
  if (!path.startsWith('/') || !segments.every(isCleanSegment)) {
    throw unfit(percentDecoded(path) ?? path)
  }
  return path
}

function isCleanSegment(segment: string): boolean {
  const decoded = encodedSegment.test(segment) ? percentDecoded(segment) : undefined
  return decoded !== undefined && isSegment(decoded)
}

/** The rule that excludes an account whose own name of the model cannot be a part of a path. */
export const unfitModelRule = 'model-path'

/** The text that cannot be a part of a path, if that is why a value was thrown. */
export function unfitText(thrown: unknown): string | undefined {
  const { cause } = thrown instanceof GatewayError ? thrown : {}
  return cause instanceof UnfitText ? cause.message : undefined
}

class UnfitText extends Error {}

/** The text is not repeated to clients: it may be an account's own. */
function unfit(text: string): GatewayError {
  const message =
    'A name in this request cannot be a part of a path: it has a dot segment, a slash, or a character with a meaning there.'
  return new GatewayError('not_found', message, { cause: new UnfitText(text) })
}

const version = /^\/v\d+[a-z0-9]*(?=\/)/
const trailingVersion = /\/v\d+[a-z0-9]*$/

/** Where an account is asked in a dialect. */
export function rootOf(
  account: Root & Pick<Account, 'roots'>,
  { id }: { readonly id: string },
): Root {
  return account.roots?.[id] ?? account
}

/**
 * Returns the path of an operation at a root. Operation paths contain the version (`/v1/messages`);
 * base URLs contain it (`.../v1`) or not, as the provider's own SDK expects. Throws as `checkedPath` does.
 */
export function pathAt(
  { base, basePath }: Root,
  upstream: Pick<Upstream, 'base' | 'encodesSlashes'>,
  path: string,
): string {
  const fullPath = checkedPath(path, upstream)
  if (base === 'bare') return basePath + fullPath
  if (upstream.base === 'versioned') return basePath + fullPath.replace(version, '')
  return basePath.replace(trailingVersion, '') + fullPath
}
