import type { Ended } from '../../contract/exchange.ts'
import { cleanText } from '../../kit/secrets/exchange-texts.ts'

/** Clients choose names of models, which may be very long. Characters. */
const longest = 200

/** Texts of clients by themselves, and how many of them. */
const texts = new Map<string, string>()
const mostTexts = 1_000

/** A text of a client or an account as operators see it: cut off, without secrets, and `owned`. */
export function shownText(text: string | undefined, exchange: Ended): string | undefined {
  return text ? owned(cleanText(text, exchange, longest)) : undefined
}

/** An id that keeps no other text in memory, and that no other exchange has; `undefined` for a text that is none. */
export function ownedId(text: string): string | undefined {
  return text.length > longest ? undefined : Buffer.from(text).toString()
}

/**
 * A text that keeps no other in memory: the engine holds a part of a text as a reference to the whole,
 * which may be the body of a request.
 */
export function owned(text: string | undefined): string | undefined {
  if (!text) return undefined
  const isLong = text.length > longest
  const known = isLong ? undefined : texts.get(text)
  if (known !== undefined) return known
  const copy = Buffer.from(text.slice(0, longest)).toString()
  if (isLong) return `${copy}...`
  if (texts.size >= mostTexts) texts.clear()
  texts.set(copy, copy)
  return copy
}
