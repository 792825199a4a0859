import type { DialectInfo } from '../../contract/dialect-info.ts'
import type { Attempt, Ended, Progress } from '../../contract/exchange.ts'
import type { ClientRequest } from '../../contract/request.ts'
import { jsonSpellings, mask, shortestSecret } from './mask.ts'
import { presentedCredentials } from './presented.ts'

/** The parts of an exchange that know its secrets. */
interface SecretsKnown extends Partial<
  Pick<Ended, 'credential' | 'caller' | 'dialect' | 'request'>
> {
  readonly progress: Partial<Pick<Progress, 'attempt' | 'former' | 'presented'>>
}

/** Decodings of a text. A proxy or a client may encode a path that is encoded already. */
const mostDecodings = 4

/** The beginning of a secret that is searched, in characters: a search costs the product of both lengths. */
const longestHead = 64

/** Its length where each character is encoded `mostDecodings` times, as in `%25252541`. */
const longestEncodedHead = longestHead * (1 + 2 * mostDecodings)

/** Characters that are read of a text of which fewer are shown. Clients and accounts may send millions. */
const mostRead = 8_192

/** Stands for a secret until all are found: no longer than one, and none contains it. */
const found = '\ue000'

/**
 * A text that a client or an account chose, as logs, spans and operators may have it: at most `longest` characters,
 * and without the credential of the client and the secrets of the accounts that were asked, also where they are
 * percent-encoded, once or a few times. For the usual text, which is shorter than any secret, this compares lengths.
 */
export function cleanText(text: string, exchange: SecretsKnown, longest: number): string {
  const clean = text.length > mostRead ? cleanStart(text, exchange) : withoutSecrets(text, exchange)
  return clean.length > longest ? `${clean.slice(0, longest)}...` : clean
}

/** The end of the part that is read may be the head of a secret, which is found in the whole text only. */
function cleanStart(text: string, exchange: SecretsKnown): string {
  const clean = withoutSecrets(text.slice(0, mostRead), exchange)
  return `${clean.slice(0, -longestEncodedHead) || mask}...`
}

/** The same, without all that looks like a secret, for the content of a call: it may have secrets of anybody. */
export function hideSecrets(text: string, exchange: SecretsKnown): string {
  return withoutKnown(text, exchange)
    .replace(lookAlikes, mask)
    .replace(named, (_, before: string) => `${before}${mask}`)
    .replace(inUrl, `://${mask}@`)
}

/** The whole text without the secrets that an exchange knows: all else stays as it is, also what is percent-encoded. */
function withoutKnown(text: string, exchange: SecretsKnown): string {
  const presented = presentedIn(exchange)
  if (!presented) return mask
  const clean = withEach(text, exchange, { presented, change: markSecret })
  const isEncoded = clean.includes('%') && withoutSecrets(clean, exchange) !== clean
  const all = isEncoded ? withEach(clean, exchange, { presented, change: markEncoded }) : clean
  return all === text ? text : all.replaceAll(found, mask)
}

/** Marks a secret of which some characters are percent-encoded, each up to `mostDecodings` times. */
function markEncoded(text: string, secret: string | undefined): string {
  if (secret === undefined || secret.length < shortestSecret) return text
  const nested = `%(?:25){0,${mostDecodings - 1}}`
  const spellings = Array.from(secret, (one) => {
    const encoded = [...Buffer.from(one)].map((byte) => nested + byte.toString(16).padStart(2, '0'))
    return `(?:${RegExp.escape(one)}|${encoded.join('')})`
  })
  return text.replace(new RegExp(spellings.join(''), 'gi'), found)
}

/** Texts that look like keys: of providers, clouds and forges, tokens of the web, and private keys. */
const lookAlikes =
  /\b(?:sk|pk|rk|ek)[-_][\w-]{12,}|\bAIza[\w-]{20,}|\b(?:AKIA|ASIA)[A-Z\d]{12,}|\b(?:gh[pousr]|github_pat)_\w{16,}|\bglpat-[\w-]{16,}|\bxox[abeprs]-[\w-]{8,}|\bya29\.[\w-]{16,}|\bhf_\w{16,}|\beyJ[\w-]{8,400}\.[\w-]{4,}(?:\.[\w-]*)?|\bdg[a-z]?_[\w-]{16,}|-----BEGIN [A-Z ]*PRIVATE KEY-----[^]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g

/** A credential in a header, in the words of a URL, or as an assignment. */
const named =
  /\b(bearer\s+|basic\s+|(?:api[-_]?key|access[-_]?key|password|passwd|secret|token)["']?\s*[:=]\s*["']?)[^\s"'&,;]{8,}/gi

/** A password in a URL. */
const inUrl = /:\/\/[^\s/:@]+:[^\s/@]+@/g

/**
 * Replaces the secrets that an exchange knows. Returns the same text if no secret is in it. Each decoding of the text
 * is made once and searched for all secrets.
 */
function withoutSecrets(text: string, exchange: SecretsKnown): string {
  if (text.length < shortestSecret) return text
  const presented = presentedIn(exchange)
  if (!presented) return mask
  let clean = marked(text, exchange, presented)
  let decoded = clean
  for (let times = 0; times < mostDecodings && decoded.includes('%'); times++) {
    const plain = decode(decoded)
    if (plain === decoded) break
    decoded = marked(plain, exchange, presented)
    if (decoded !== plain) clean = decoded
  }
  return clean === text ? text : clean.replaceAll(found, mask)
}

const encodedByte = /%([\da-f]{2})/gi

function decode(text: string): string {
  return text.replaceAll(encodedByte, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
}

/** The text with a mark in place of each secret. */
function marked(text: string, exchange: SecretsKnown, presented: readonly string[]): string {
  const clean = withEach(text, exchange, { presented, change: markSecret })
  if (clean.length < longestHead) return clean
  return withEach(clean, exchange, { presented, change: markFromHead })
}

interface Change {
  readonly presented: readonly string[]
  readonly change: (text: string, secret: string | undefined) => string
}

/** The text after a change for each secret. */
function withEach(
  text: string,
  { credential, progress: { attempt, former } }: SecretsKnown,
  { presented, change }: Change,
): string {
  let clean = change(text, credential)
  for (const one of presented) clean = change(clean, one)
  if (attempt) clean = withEachOf(clean, attempt, change)
  if (former) for (const one of former) clean = withEachOf(clean, one, change)
  return clean
}

function withEachOf(
  text: string,
  { candidate: { account } }: Attempt,
  change: Change['change'],
): string {
  const { credential, secrets } = account
  let clean = change(text, credential)
  if (secrets) for (const secret of secrets) clean = change(clean, secret)
  return clean
}

function markSecret(text: string, secret: string | undefined): string {
  if (secret === undefined || text.length < secret.length) return text
  if (secret.length < shortestSecret) return text
  const clean = markSpelling(text, secret)
  return clean.includes('\\') ? jsonSpellings(secret).reduce(markSpelling, clean) : clean
}

function markSpelling(text: string, secret: string): string {
  if (secret.length <= longestHead) return text.replaceAll(secret, found)
  return markLongSecret(text, secret)
}

/** The search goes on behind a place where only the head fits, so that it reads no character twice. */
function markLongSecret(text: string, secret: string): string {
  const head = secret.slice(0, longestHead)
  let clean = ''
  let copied = 0
  let next = 0
  for (let at = text.indexOf(head); at >= 0; at = text.indexOf(head, next)) {
    next = at + head.length
    if (!text.startsWith(secret, at)) continue
    clean += text.slice(copied, at) + found
    copied = next = at + secret.length
  }
  return clean + text.slice(copied)
}

/**
 * Marks all from the head of a long secret on: the text goes on otherwise, so where the secret ends is not known. This
 * may be a part of it, or of a longer one that begins alike.
 */
function markFromHead(text: string, secret: string | undefined): string {
  if (secret === undefined || secret.length <= longestHead) return text
  const at = text.indexOf(secret.slice(0, longestHead))
  return at < 0 ? text : text.slice(0, at) + found
}

const none: readonly string[] = []

/**
 * Of a request without a known caller, any of its credentials may be a key, and its path may be of no dialect.
 * `undefined` if there are too many to look for.
 */
function presentedIn({
  caller,
  credential,
  dialect,
  request,
  progress,
}: SecretsKnown): readonly string[] | undefined {
  if (caller || credential !== undefined || !request) return none
  const { presented } = progress
  if (presented && presented.dialect === dialect) return presented.credentials
  const credentials = presentedCredentials(request, dialect && credentialOf(dialect, request))
  progress.presented = { dialect, credentials }
  return credentials
}

function credentialOf(dialect: DialectInfo, request: ClientRequest): string | undefined {
  try {
    return dialect.credential(request)
  } catch {
    // The reader is a plugin's.
    return undefined
  }
}
