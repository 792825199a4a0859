import type { JsonObject } from '../../../../src/lib/json/object.ts'
import type {
  AssistantPart,
  ReasoningPart,
  ToolCallPart,
} from '../../../../src/generate/content.ts'
import { encodeText } from './encode-media.ts'
import { messagesId } from './signatures.ts'
import { inputOf } from './tool-input.ts'
import { safeToolName } from '../../../../src/generate/names.ts'

/** What the model said before, as blocks in the order in which it said them. */
export function encodeAnswer(
  answer: readonly AssistantPart[],
  ids: ReadonlyMap<ToolCallPart, string>,
): JsonObject[] {
  const blocks = answer.flatMap((part) => encodePart(part, ids))
  while (isThinking(blocks.at(-1))) blocks.pop()
  return blocks
}

/** Accounts refuse messages of the model that end with its thoughts. */
export function isThinking(block: JsonObject | undefined): boolean {
  return block?.type === 'thinking' || block?.type === 'redacted_thinking'
}

function encodePart(
  part: AssistantPart,
  ids: ReadonlyMap<ToolCallPart, string>,
): readonly JsonObject[] {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return encodeText(part.text)
    case 'reasoning':
      return encodeReasoning(part)
    case 'tool_call': {
      const { input } = inputOf(part.arguments)
      return [{ type: 'tool_use', id: ids.get(part), name: safeToolName(part.name), input }]
    }
    case 'image':
    case 'audio':
      return []
  }
}

/** Accounts refuse thoughts that they did not sign. */
function encodeReasoning({ text, form, signature }: ReasoningPart): JsonObject[] {
  if (signature?.dialect !== messagesId) return []
  const { value } = signature
  return form === 'redacted'
    ? [{ type: 'redacted_thinking', data: value }]
    : [{ type: 'thinking', thinking: text, signature: value }]
}
