import type { ReasoningPart, Signature } from '../../../../src/generate/content.ts'
import {
  containsWrapped,
  isWrapped,
  readSignature,
  wrapSignature,
} from '../../../../src/generate/signatures.ts'
import { type JsonText, hasString } from '../../../../src/lib/json/scan.ts'
import { TextSet } from '../../../../src/lib/text-map.ts'

/** The id of the dialect in signatures. */
export const generateId = 'generate'

/** The value that Google accepts in place of a signature that is not available. */
export const skipValidator = 'skip_thought_signature_validator'

/** The skip value for clients, in base64, which the SDKs of some languages require. */
export const skipSignature = toBase64(skipValidator)

const base64 = /^[A-Za-z0-9+/_-]*={0,2}$/

/** The values that Google accepts in place of a signature, plain and in base64. */
const skipValues = new TextSet(
  [skipValidator, 'context_engineering_is_the_way_to_go'].flatMap((text) => [text, toBase64(text)]),
)

/** The start of every wrapped signature in base64. */
const wrappedStart = 'Z3cxL'

type Form = ReasoningPart['form']

/** The signature of a part. With `form` it belongs to reasoning, on a part of any kind. */
export interface PartSignature {
  readonly signature: Signature
  readonly form?: Form
}

/** Reads `thoughtSignature`; returns `undefined` for none, for a skip value and for an unreadable token. */
export function readPartSignature(text: string | undefined): PartSignature | undefined {
  if (text === undefined || text === '' || skipValues.has(text)) return undefined
  const token = unwrapped(text)
  if (token === undefined) return { signature: { dialect: generateId, value: text } }
  const [mark = '', content = '', form] = token.split('.')
  const signature = readSignature(`${mark}.${content}`, generateId)
  return signature && { signature, ...(isForm(form) && { form }) }
}

/**
 * Writes a signature as `thoughtSignature`, in base64. A signature of another dialect becomes a token that
 * also carries the form of its reasoning, for which this dialect has no field.
 */
export function writePartSignature(signature: Signature, form?: Form): string {
  if (signature.dialect === generateId) return signature.value
  const token = wrapSignature(signature)
  return toBase64(form === undefined ? token : `${token}.${form}`)
}

/** Returns the value of a signature for an account, if the signature is of this dialect. */
export function ownSignature(signature: Signature | undefined): string | undefined {
  if (signature?.dialect !== generateId || signature.value === '') return undefined
  return base64.test(signature.value) ? signature.value : undefined
}

/** Whether JSON text may contain a token, plain or in base64. */
export function mayContainTokens(body: JsonText): boolean {
  return hasString(body, `"${wrappedStart}`) || containsWrapped(body)
}

/** Whether a `thoughtSignature` is a token of the gateway, even an unreadable one. */
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
