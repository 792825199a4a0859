import { type JsonText, hasString } from '../lib/json/scan.ts'
import type { Signature } from './content.ts'

/** The prefix of wrapped signatures, which no provider's signature has. */
const mark = 'gw1.'

/**
 * The value of a signature that the client's dialect requires and the account did not send. In later
 * requests it marks a part that no account of the client's dialect produced.
 */
export const unownedSignature = `${mark}${Buffer.from('{}').toString('base64url')}`

/** Whether JSON text may contain a wrapped signature. */
export function containsWrapped(text: JsonText): boolean {
  return hasString(text, `"${mark}`)
}

/** Wraps a signature of another dialect as text, which the client sends back in later requests. */
export function wrapSignature({ dialect, value, id, account }: Signature): string {
  const content = JSON.stringify({ d: dialect, s: value, i: id, a: account })
  return mark + Buffer.from(content).toString('base64url')
}

/** Whether text is a wrapped signature, valid or not. */
export function isWrapped(text: string): boolean {
  return text.startsWith(mark)
}

/**
 * Reads the signature in a client's request: one of its dialect, or a wrapped one. Returns `undefined`
 * for an invalid wrapped signature, which must not reach an account.
 */
export function readSignature(text: string, dialect: string, id?: string): Signature | undefined {
  if (!isWrapped(text)) return { dialect, value: text, ...(id !== undefined && { id }) }
  const content = parse(Buffer.from(text.slice(mark.length), 'base64url').toString())
  const { d, s, i, a } = content ?? {}
  if (typeof d !== 'string' || typeof s !== 'string') return undefined
  return {
    dialect: d,
    value: s,
    ...(typeof i === 'string' && { id: i }),
    ...(typeof a === 'string' && { account: a }),
  }
}

/** Writes a signature for a client of a dialect: plain in the signature's own dialect, else wrapped. */
export function writeSignature(signature: Signature, dialect: string): string {
  return signature.dialect === dialect ? signature.value : wrapSignature(signature)
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const content: unknown = JSON.parse(text)
    return typeof content === 'object' && content !== null ? { ...content } : undefined
  } catch {
    return undefined
  }
}
