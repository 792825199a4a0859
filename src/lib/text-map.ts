import { hash, randomBytes } from 'node:crypto'

/** The most characters of a text that is its own key. V8 hashes one of more than 16,383 by its length alone. */
const longest = 8_192

/** A body has room for a few texts of more characters only, so that each may be compared with all others. */
const enormous = 4 * 1024 * 1024

/** Begins each digest. No client knows it, so that no text of a client is the same as the digest of another. */
const mark = randomBytes(16).toString('base64')

/** The most characters of a text whose key is remembered for the next look-up. */
const longestRemembered = 64 * 1024

let last = { text: '', key: '' }

/**
 * The key of a value in a set or a map whose keys are texts of a client or an account: a digest of a long text, and
 * every other value itself. V8 interns each text that a set or a map looks up, even an empty one, and the
 * interned ones of the same hash are compared with each other: long texts of the same length have the same.
 */
export function keyOf<T>(value: T): T | string {
  if (typeof value !== 'string' || value.length <= longest || value.length > enormous) return value
  // A text that is looked up is often added next.
  if (value === last.text) return last.key
  const key = digestKey(value)
  if (value.length <= longestRemembered) last = { text: value, key }
  return key
}

function digestKey(text: string): string {
  // UTF-8 has the same bytes for all halves of surrogate pairs.
  return text.isWellFormed()
    ? `${mark}${hash('sha256', text, 'base64')}`
    : `${mark}*${hash('sha256', Buffer.from(text, 'utf16le'), 'base64')}`
}

/** A set of texts of a client or an account. Its elements are the keys of `keyOf`. */
export class TextSet<T = string> extends Set<T> {
  override add(text: T): this {
    return super.add(keyOf(text) as T)
  }

  override has(text: T): boolean {
    return super.has(keyOf(text) as T)
  }

  override delete(text: T): boolean {
    return super.delete(keyOf(text) as T)
  }
}

/** A map whose keys are texts of a client or an account. It stores the keys of `keyOf`. */
export class TextMap<V, T = string> extends Map<T, V> {
  override get(text: T): V | undefined {
    return super.get(keyOf(text) as T)
  }

  override set(text: T, value: V): this {
    return super.set(keyOf(text) as T, value)
  }

  override has(text: T): boolean {
    return super.has(keyOf(text) as T)
  }

  override delete(text: T): boolean {
    return super.delete(keyOf(text) as T)
  }
}
