import type { JsonObject } from '../../../../src/codec.ts'
import type { AssistantPart, ReasoningPart } from '../../../../src/generate/content.ts'
import { toolIdOf } from '../../../../src/generate/tool-ids.ts'
import { dialect } from './name.ts'

/** Reasoning as an account that speaks this dialect gave it. Nobody else's goes out. */
export function reasoningItems(
  part: ReasoningPart,
  before: AssistantPart | undefined,
): JsonObject[] {
  const { signature } = part
  if (signature?.dialect !== dialect) return []
  const id = signature.id ?? toolIdOf(signature.value).replace('call_', 'rs_')
  const summaryPart = part.form === 'summary' ? part : summaryBefore(part, before)
  return [
    {
      type: 'reasoning',
      id: id.startsWith('rs') ? id : `rs_${id}`,
      summary: piece('summary_text', summaryPart?.text),
      ...(part.form === 'raw' &&
        part.text !== '' && { content: piece('reasoning_text', part.text) }),
      encrypted_content: signature.value,
    },
  ]
}

/** One item may tell both what was thought and a summary of it. */
function summaryBefore(part: ReasoningPart, before: AssistantPart | undefined) {
  const isSummary = before?.type === 'reasoning' && before.form === 'summary' && !before.signature
  return part.form === 'raw' && isSummary ? before : undefined
}

function piece(type: string, text: string | undefined): JsonObject[] {
  return text ? [{ type, text }] : []
}
