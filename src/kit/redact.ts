import type { Account } from '../contract/account.ts'
import type { UpstreamAnswer } from '../contract/errors.ts'
import { type JsonObject, setOwn } from '../lib/json/object.ts'
import { includesText } from '../lib/search-bytes.ts'
import { disclosuresOf } from './disclosures.ts'

/** Replaces the account's key and address in a text. */
export function redact(text: string, account: Account): string {
  const { secret, place } = disclosuresOf(account)
  const clean = secret ? text.replace(secret, '[secret]') : text
  return clean.replace(place, '[upstream]')
}

const smallNumber = /^\d{1,12}$/

/** Redacts the value of a header of the account's reply. Most are too short to disclose anything. */
export function redactHeader(value: string, account: Account): string {
  const { shortest } = disclosuresOf(account)
  return value.length < shortest || smallNumber.test(value) ? value : redact(value, account)
}

/** In characters. A shorter key can stand in a reply by chance. */
const shortestSearched = 12

/**
 * Whether the text of a whole reply contains a secret of the account as it is. This is one search for each,
 * which costs a small part of parsing the reply. Addresses may belong in a reply, such as the URL of an image.
 */
export function containsKey(reply: string | Buffer, { credential, secrets }: Account): boolean {
  if (credential !== undefined && contains(reply, credential)) return true
  return secrets?.some((secret) => contains(reply, secret)) ?? false
}

function contains(reply: string | Buffer, secret: string): boolean {
  if (secret.length < shortestSearched) return false
  return typeof reply === 'string' ? reply.includes(secret) : includesText(reply, secret)
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
  return mapStrings(value, (text) => redact(text, account))
}

/** Replaces the account's key, and leaves its address, which a reply may need: the URL of a file. */
export function redactKey(value: unknown, account: Account): unknown {
  const { secret } = disclosuresOf(account)
  return secret ? mapStrings(value, (text) => text.replace(secret, '[secret]')) : value
}

/** Levels of a JSON value. No provider nests its errors deeper, and deeper ones could exhaust the stack. */
const deepest = 500

/** Changes keys and strings of a JSON value. Returns the value itself if nothing changes. */
function mapStrings(value: unknown, change: (text: string) => string, depth = 0): unknown {
  if (typeof value === 'string') return change(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth > deepest) return '[...]'
  if (Array.isArray(value)) return mapList(value, change, depth + 1)
  return mapMembers(value as JsonObject, change, depth + 1)
}

function mapList(
  list: readonly unknown[],
  change: (text: string) => string,
  depth: number,
): readonly unknown[] {
  const items = list.map((item) => mapStrings(item, change, depth))
  return items.some((item, index) => item !== list[index]) ? items : list
}

/** Copies an object only from its first change on: nearly none has one, and one may have 100,000 members. */
function mapMembers(
  object: JsonObject,
  change: (text: string) => string,
  depth: number,
): JsonObject {
  const names = Object.keys(object)
  let clean: Record<string, unknown> | undefined
  for (const [index, name] of names.entries()) {
    const item = object[name]
    const cleanName = change(name)
    const cleanItem = mapStrings(item, change, depth)
    if (cleanName !== name || cleanItem !== item) clean ??= firstMembers(object, names, index)
    if (clean) setOwn(clean, cleanName, cleanItem)
  }
  return clean ?? object
}

function firstMembers(
  object: JsonObject,
  names: readonly string[],
  count: number,
): Record<string, unknown> {
  const first: Record<string, unknown> = {}
  for (const name of names.slice(0, count)) setOwn(first, name, object[name])
  return first
}

/** Redacts the JSON of some bytes. Returns the bytes themselves if there is nothing to redact. */
export function redactBytes(bytes: Buffer, json: unknown, account: Account): Buffer {
  const clean = redactValue(json, account)
  return clean === json ? bytes : Buffer.from(JSON.stringify(clean))
}
