import type { Signature } from '../../../../src/generate/content.ts'
import { readSignature, writeSignature } from '../../../../src/generate/signatures.ts'
import { objectAt, stringAt } from '../../../../src/lib/json/read.ts'

/** The dialect as signatures know it. */
export const chatId = 'chat'

/** Where providers put what the model thought; the first that says something counts. */
export const reasoningFields = ['reasoning_content', 'reasoning'] as const

export type ReasoningField = (typeof reasoningFields)[number]

export function isReasoningField(name: string): name is ReasoningField {
  return name === 'reasoning_content' || name === 'reasoning'
}

/**
 * The mark of reasoning that came as plain text. Accounts that write a field take it back, and many
 * need it within a loop of tool calls; accounts that do not know the field refuse it.
 */
export function plainReasoning(field: ReasoningField): Signature {
  return { dialect: chatId, value: field }
}

/** The signature of a tool call, where Google's form of the dialect keeps it. */
export function readCallSignature(call: unknown): Signature | undefined {
  const token = stringAt(objectAt(objectAt(call, 'extra_content'), 'google'), 'thought_signature')
  return token ? readSignature(token, chatId) : undefined
}

/** What stands as `extra_content` beside a call. */
export function extraContent(signature: Signature): object {
  return { google: { thought_signature: writeSignature(signature, chatId) } }
}
