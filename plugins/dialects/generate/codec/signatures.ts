import type { ReasoningPart, Signature } from '../../../../src/generate/content.ts'
import {
  containsWrapped,
  isWrapped,
  readSignature,
  wrapSignature,
} from '../../../../src/generate/signatures.ts'

/** The name of this dialect, as its signatures carry it. */
export const generateId = 'generate'

/** What Google takes in place of a signature that was lost. */
export const lostSignature = 'skip_thought_signature_validator'

/** The same as clients read it: SDKs of some languages take nothing but base64. */
export const skipSignature = toBase64(lostSignature)

const base64 = /^[A-Za-z0-9+/_-]*={0,2}$/

const escapes = new Set(
  [lostSignature, 'context_engineering_is_the_way_to_go'].flatMap((text) => [text, toBase64(text)]),
)

/** How the base64 of every wrapped signature begins. */
const wrappedStart = 'Z3cxL'

type Form = ReasoningPart['form']

/** A signature found on a part. `form` tells that it belongs to reasoning, wherever it stands. */
export interface PartSignature {
  readonly signature: Signature
  readonly form?: Form
}

/** Reads `thoughtSignature`. Undefined for none, for an escape and for what cannot be read. */
export function readPartSignature(text: string | undefined): PartSignature | undefined {
  if (text === undefined || text === '' || escapes.has(text)) return undefined
  const token = unwrapped(text)
  if (token === undefined) return { signature: { dialect: generateId, value: text } }
  const [mark = '', content = '', form] = token.split('.')
  const signature = readSignature(`${mark}.${content}`, generateId)
  return signature && { signature, ...(isForm(form) && { form }) }
}

/**
 * A signature as `thoughtSignature`: valid base64, that of another dialect too. The form of the
 * reasoning that it signs goes with it, for this dialect has no word for it.
 */
export function writePartSignature(signature: Signature, form?: Form): string {
  if (signature.dialect === generateId) return signature.value
  const token = wrapSignature(signature)
  return toBase64(form === undefined ? token : `${token}.${form}`)
}

/** The signature for an account, if it is one of its own. */
export function ownSignature(signature: Signature | undefined): string | undefined {
  if (signature?.dialect !== generateId || signature.value === '') return undefined
  return base64.test(signature.value) ? signature.value : undefined
}

/** Whether there may be a token among the strings of JSON text, in base64 or not. */
export function mayHoldTokens(bytes: Buffer): boolean {
  return bytes.includes(`"${wrappedStart}`) || containsWrapped(bytes)
}

/** Whether a `thoughtSignature` is a token of the gateway, readable or not. */
export function isToken(text: string | undefined): boolean {
  return text !== undefined && unwrapped(text) !== undefined
}

function unwrapped(text: string): string | undefined {
  if (isWrapped(text)) return text
  if (!text.startsWith(wrappedStart)) return undefined
  const token = Buffer.from(text, 'base64').toString()
  return isWrapped(token) ? token : undefined
}

function isForm(form: string | undefined): form is Form {
  return form === 'raw' || form === 'summary' || form === 'redacted'
}

function toBase64(text: string): string {
  return Buffer.from(text).toString('base64')
}
