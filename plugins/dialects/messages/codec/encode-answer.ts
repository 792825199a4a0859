import type { JsonObject } from '../../../../src/lib/json/object.ts'
import type { BlockWriter, WrittenResult } from '../../shared/blocks/encode-turns.ts'
import { encodeParts, encodeText, marked } from './encode-media.ts'
import { messagesId } from './signatures.ts'

/** How the Messages API writes content blocks. */
export const messagesBlocks: BlockWriter = {
  api: 'Messages API',
  parts: encodeParts,
  text: encodeText,
  signedBy: messagesId,
  reasoning: ({ text, form }, signature) =>
    form === 'redacted'
      ? { type: 'redacted_thinking', data: signature }
      : { type: 'thinking', thinking: text, signature },
  isReasoning: isThinking,
  toolUse: (id, name, input) => ({ type: 'tool_use', id, name, input }),
  result(id, { content, failed, cache }) {
    const written = encodeResult(content)
    const block = {
      type: 'tool_result',
      tool_use_id: id,
      ...(written !== undefined && { content: written }),
      ...(failed && { is_error: true }),
    }
    return marked([block], cache)
  },
}

/** Encodes a single text as a string, other content as blocks. */
function encodeResult(content: WrittenResult['content']): unknown {
  const blocks = encodeParts(content)
  if (blocks.length === 0) return undefined
  const [first, second] = blocks
  const isText = first?.type === 'text' && first.cache_control === undefined
  return isText && !second ? first.text : blocks
}

/** Whether a block is thinking. */
export function isThinking(block: JsonObject | undefined): boolean {
  return block?.type === 'thinking' || block?.type === 'redacted_thinking'
}
