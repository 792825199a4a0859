import type { Signature } from '../../../../src/generate/content.ts'
import { dialectName } from './name.ts'

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
  return { dialect: dialectName, value: field }
}
