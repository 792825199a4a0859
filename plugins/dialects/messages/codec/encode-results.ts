import type { JsonObject } from '../../../../src/codec.ts'
import type { ToolResult } from '../../../../src/generate/content.ts'
import { encodeShown } from './encode-media.ts'

/** What a tool said, as the answer to the call of this id. Accounts want one for every call. */
export function encodeResult(id: string, result: ToolResult | undefined): JsonObject {
  if (!result) {
    const content = 'No result of this call was given.'
    return { type: 'tool_result', tool_use_id: id, content, is_error: true }
  }
  const content = encodeContent(result)
  return {
    type: 'tool_result',
    tool_use_id: id,
    ...(content !== undefined && { content }),
    ...(result.failed && { is_error: true }),
  }
}

/** One text is told as such, more as blocks. */
function encodeContent({ content }: ToolResult): unknown {
  const blocks = encodeShown(content)
  if (blocks.length === 0) return undefined
  return blocks.length === 1 && blocks[0]!.type === 'text' ? blocks[0]!.text : blocks
}

/** A result of a call that nobody made, told in words. */
export function encodeStray({ callId, name, content, failed }: ToolResult): JsonObject[] {
  const of = name === undefined ? `the call ${callId}` : `${name} (${callId})`
  const label = { type: 'text', text: `Result of ${of}:` }
  return [label, ...(failed ? [{ type: 'text', text: 'Error:' }] : []), ...encodeShown(content)]
}
