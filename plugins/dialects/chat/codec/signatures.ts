import type { AssistantPart, Signature } from '../../../../src/generate/content.ts'
import { readSignature, writeSignature } from '../../../../src/generate/signatures.ts'
import { type JsonObject, isObject } from '../../../../src/lib/json/object.ts'
import { objectAt, objectsIn, parseOrUndefined, stringAt } from '../../../../src/lib/json/read.ts'

/** The id of the dialect in signatures. */
export const chatId = 'chat'

/** The fields in which providers send plain reasoning; the first one that is not empty wins. */
const reasoningFields = ['reasoning_content', 'reasoning'] as const

/** A field of plain reasoning. */
export type ReasoningField = (typeof reasoningFields)[number]

/** Whether a name is a field of plain reasoning. */
function isReasoningField(name: string): name is ReasoningField {
  return name === 'reasoning_content' || name === 'reasoning'
}

/**
 * Returns the signature that marks plain reasoning with the field it came from. Accounts that send the
 * field accept it in later requests, and many require it within a loop of tool calls. Accounts that do
 * not support the field refuse it.
 */
export function plainReasoning(field: ReasoningField): Signature {
  return { dialect: chatId, value: field }
}

/**
 * Returns the signature of reasoning, or of a call, with OpenRouter's `reasoning_details`, and with the field of
 * the plain reasoning beside them. Only the provider that sent them gets them back.
 */
export function detailedReasoning(
  details: readonly JsonObject[],
  field: ReasoningField | undefined,
): Signature {
  return { dialect: chatId, value: JSON.stringify({ field, details }) }
}

/** Whether a signature holds `reasoning_details`. */
export function hasDetails({ dialect, value }: Signature): boolean {
  return dialect === chatId && value.startsWith('{')
}

/** Returns the field of the plain reasoning that a signature of this dialect marks; clients may send any text. */
export function fieldOf(signature: Signature | undefined): ReasoningField | undefined {
  if (signature?.dialect !== chatId) return undefined
  const name = hasDetails(signature) ? stringAt(contentOf(signature), 'field') : signature.value
  return name !== undefined && isReasoningField(name) ? name : undefined
}

/** Returns the `reasoning_details` in a signature. */
export function detailsIn(signature: Signature): readonly JsonObject[] {
  return hasDetails(signature) ? objectsIn(contentOf(signature)?.details) : []
}

/** Returns the `reasoning_details` of an answer in their order. */
export function detailsOf(content: readonly AssistantPart[]): readonly JsonObject[] {
  return content.flatMap((part) =>
    'signature' in part && part.signature ? detailsIn(part.signature) : [],
  )
}

function contentOf({ value }: Signature): JsonObject | undefined {
  const content = parseOrUndefined(value)
  return isObject(content) ? content : undefined
}

/** Reads the signature of a tool call from the field that Google's version of the dialect uses. */
export function readCallSignature(call: unknown): Signature | undefined {
  const token = stringAt(objectAt(objectAt(call, 'extra_content'), 'google'), 'thought_signature')
  return token ? readSignature(token, chatId) : undefined
}

/** Writes a signature as the `extra_content` of a call. */
export function extraContent(signature: Signature): object {
  return { google: { thought_signature: writeSignature(signature, chatId) } }
}
