import type { Signature } from './content.ts'

/** Every token begins with it, so that nobody's signature is taken for one. */
const mark = 'gw1.'

/**
 * What stands where a client expects a signature and there is none: it tells later turns that no
 * account of the client's own dialect made what it stands beside.
 */
export const unownedSignature = `${mark}${Buffer.from('{}').toString('base64url')}`

/** Whether there may be a token among the strings of JSON text. */
export function containsWrapped(bytes: Buffer): boolean {
  return bytes.includes(`"${mark}`)
}

/** A signature of another dialect as text that a client keeps and sends back. */
export function wrapSignature({ dialect, value, id, account }: Signature): string {
  const content = JSON.stringify({ d: dialect, s: value, i: id, a: account })
  return mark + Buffer.from(content).toString('base64url')
}

/** Whether text is a token of ours, readable or not. */
export function isWrapped(text: string): boolean {
  return text.startsWith(mark)
}

/**
 * What a client sent back as a signature: its own dialect's, or one that was wrapped for it.
 * `undefined` for a token that cannot be read, which must not go anywhere.
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

/** The signature as it stands in a dialect: plain in its own, wrapped in any other. */
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
