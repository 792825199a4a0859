import type { JsonObject } from '../../../../src/lib/json/object.ts'
import type {
  AssistantPart,
  ReasoningPart,
  ToolCallPart,
} from '../../../../src/generate/content.ts'
import type { BlockWriter, WrittenResult } from '../../shared/blocks/encode-turns.ts'
import { encodeParts, encodeText } from './encode-media.ts'
import { messagesId } from './signatures.ts'
import { inputOf } from '../../shared/blocks/tool-input.ts'
import { safeToolName } from '../../../../src/generate/names.ts'

/** How the Messages API writes content blocks. */
export const messagesBlocks: BlockWriter = {
  api: 'Messages API',
  parts: encodeParts,
  answer: encodeAnswer,
  result(id, { content, failed }) {
    const written = encodeResult(content)
    return [
      {
        type: 'tool_result',
        tool_use_id: id,
        ...(written !== undefined && { content: written }),
        ...(failed && { is_error: true }),
      },
    ]
  },
}

/** Encodes a single text as a string, other content as blocks. */
function encodeResult(content: WrittenResult['content']): unknown {
  const blocks = encodeParts(content)
  if (blocks.length === 0) return undefined
  return blocks.length === 1 && blocks[0]!.type === 'text' ? blocks[0]!.text : blocks
}

function encodeAnswer(
  answer: readonly AssistantPart[],
  ids: ReadonlyMap<ToolCallPart, string>,
): JsonObject[] {
  const blocks = answer.flatMap((part) => encodePart(part, ids))
  while (isThinking(blocks.at(-1))) blocks.pop()
  return blocks
}

/** Whether a block is thinking. Accounts refuse assistant messages that end with thinking. */
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

/** Accounts refuse thinking that they did not sign. */
function encodeReasoning({ text, form, signature }: ReasoningPart): JsonObject[] {
  if (signature?.dialect !== messagesId) return []
  const { value } = signature
  return form === 'redacted'
    ? [{ type: 'redacted_thinking', data: value }]
    : [{ type: 'thinking', thinking: text, signature: value }]
}
