import type { Account } from '../../contract/account.ts'
import type { UpstreamAnswer } from '../../contract/errors.ts'
import { includesText } from '../../lib/search-bytes.ts'
import { noMessage } from '../upstream-error.ts'
import { type TextPattern, patternsOf } from './account-patterns.ts'
import { mapStrings, mask } from './mask.ts'

/** Replaces the account's key and address in a text. */
export function redact(text: string, account: Account): string {
  return redacting(account)(text)
}

/** Returns `redact` for many texts of one account: its patterns are looked up once. */
function redacting(account: Account): (text: string) => string {
  const { secret, place, shortest } = patternsOf(account)
  return (text) => {
    if (text.length < shortest) return text
    const clean = secret ? replaceIn(text, secret, mask) : text
    return replaceIn(clean, place, '[upstream]')
  }
}

function replaceIn(text: string, pattern: TextPattern, replacement: string): string {
  const lower = text.toLowerCase()
  const isIn = (word: string) => lower.includes(word)
  if (!pattern.words.some((words) => words.every(isIn))) return text
  pattern.compiled ??= new RegExp(pattern.source, 'gi')
  return text.replace(pattern.compiled, replacement)
}

/** In characters. No server writes a longer message, and redacting one would hold up the other clients. */
const longestMessage = 1024 * 1024

/** The message of an account's error for its client: redacted, and without the words of one that is too long. */
export function redactMessage(message: string, account: Account): string {
  return message.length > longestMessage ? noMessage : redact(message, account)
}

const smallNumber = /^\d{1,12}$/

/** Redacts the value of a header of the account's reply. Most are too short to disclose anything. */
export function redactHeader(value: string, account: Account): string {
  const { shortest } = patternsOf(account)
  return value.length < shortest || smallNumber.test(value) ? value : redact(value, account)
}

/** In characters. A shorter key can stand in a reply by chance. */
export const shortestSearched = 12

/**
 * Whether the text of a whole reply contains a secret of the account as it is. This is one search for each,
 * which costs a small part of parsing the reply. Addresses may belong in a reply, such as the URL of an image.
 */
export function containsKey(
  reply: string | Buffer,
  { credential, secrets = [], authorizer }: Account,
): boolean {
  if (credential !== undefined && contains(reply, credential)) return true
  const isIn = (secret: string) => contains(reply, secret)
  return secrets.some(isIn) || (authorizer?.secrets?.some(isIn) ?? false)
}

function contains(reply: string | Buffer, secret: string): boolean {
  if (secret.length < shortestSearched) return false
  return typeof reply === 'string' ? reply.includes(secret) : includesText(reply, secret)
}

/** Redacts a text that may be absent. */
export function redacted(text: string | undefined, account: Account): string | undefined {
  return text === undefined ? undefined : redact(text, account)
}

/**
 * Redacts an upstream's error reply. Searches the decoded strings, since JSON can escape the same text
 * in many ways; the bytes change only if there is something to redact.
 */
export function redactAnswer(answer: UpstreamAnswer, account: Account): UpstreamAnswer {
  const headers = redactHeaders(answer.headers, account)
  if (answer.json === undefined) {
    return { ...answer, headers, body: Buffer.from(redact(answer.body.toString(), account)) }
  }
  const json = redactValue(answer.json, account)
  return json === answer.json
    ? { ...answer, headers }
    : { ...answer, headers, json, body: Buffer.from(JSON.stringify(json)) }
}

/** `location` stays: the gateway follows it for downloads, and clients do not get it. */
function redactHeaders(headers: UpstreamAnswer['headers'], account: Account) {
  const entries = Object.entries(headers).map(([name, value]) => [
    name,
    name === 'location' ? value : redactHeader(value, account),
  ])
  return Object.fromEntries(entries) as Record<string, string>
}

/** Redacts every string of a JSON value. Returns the value itself if there is nothing to redact. */
export function redactValue(value: unknown, account: Account): unknown {
  return mapStrings(value, redacting(account))
}

/** Replaces the account's key, and leaves its address, which a reply may need: the URL of a file. */
export function redactKey(value: unknown, account: Account): unknown {
  const { secret } = patternsOf(account)
  return secret ? mapStrings(value, (text) => replaceIn(text, secret, mask)) : value
}

/** Redacts the JSON of some bytes. Returns the bytes themselves if there is nothing to redact. */
export function redactBytes(bytes: Buffer, json: unknown, account: Account): Buffer {
  const clean = redactValue(json, account)
  return clean === json ? bytes : Buffer.from(JSON.stringify(clean))
}
