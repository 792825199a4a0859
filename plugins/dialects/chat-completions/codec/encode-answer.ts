import type { JsonObject } from '../../../../src/codec.ts'
import type { IdentifiedCall } from '../../../../src/generate/identified-calls.ts'
import type { AssistantPart, ReasoningPart, UserPart } from '../../../../src/generate/content.ts'
import { extraContent } from './extra-content.ts'
import { dialectName } from './name.ts'
import { isReasoningField } from './reasoning-field.ts'
import { safeToolName } from '../../../../src/generate/tool-names.ts'

/** An earlier answer of the model; `undefined` where nothing of it can be said. */
export function encodeAnswer(
  content: readonly AssistantPart[],
  calls: readonly IdentifiedCall[],
): JsonObject | undefined {
  const text = joined(content, 'text')
  const refusal = joined(content, 'refusal')
  if (text === undefined && refusal === undefined && calls.length === 0) return undefined
  return {
    role: 'assistant',
    content: text ?? null,
    ...(refusal !== undefined && { refusal }),
    ...encodeReasoning(content),
    ...(calls.length > 0 && { tool_calls: calls.map(encodeCall) }),
  }
}

function joined(content: readonly AssistantPart[], type: 'text' | 'refusal'): string | undefined {
  const texts = content.flatMap((part) => (part.type === type ? [part.text] : []))
  return texts.join('') || undefined
}

/** Plain reasoning goes back only where it came from, and in the field in which it came. */
function encodeReasoning(content: readonly AssistantPart[]): JsonObject {
  const own = content.filter(
    (part): part is ReasoningPart =>
      part.type === 'reasoning' && part.signature?.dialect === dialectName && part.text !== '',
  )
  const field = own[0]?.signature?.value
  if (field === undefined || !isReasoningField(field)) return {}
  return { [field]: own.map(({ text }) => text).join('\n\n') }
}

function encodeCall({ id, call }: IdentifiedCall): JsonObject {
  const name = safeToolName(call.name)
  const { signature } = call
  const signed = signature?.dialect === dialectName && { extra_content: extraContent(signature) }
  if (call.kind === 'custom') {
    return { id, type: 'custom', custom: { name, input: call.arguments }, ...signed }
  }
  const text = call.arguments.trim() === '' ? '{}' : call.arguments
  return { id, type: 'function', function: { name, arguments: text }, ...signed }
}

/** What an answer showed or played: no answer of this dialect can hold it. */
export function mediaOf(content: readonly AssistantPart[]): UserPart[] {
  return content.filter((part) => part.type === 'image' || part.type === 'audio')
}
