import {
  type AssistantPart,
  type GenerateRequest,
  isCall,
  type JsonObject,
  type RecordLoss,
  safeToolId,
  type ToolResult,
  type Turn,
  type UserPart,
} from '../../../../../src/dialect-kit/index.ts'
import { encodeCall } from '../calls.ts'

/** One question as it is, anything else as lines. */
export function encodeLines(
  { turns, fields }: GenerateRequest,
  drop: RecordLoss,
): string | JsonObject[] {
  const [first, ...others] = turns
  if (first?.role === 'user' && others.length === 0) return textsOf(first.content).join('\n')
  const dropPart = (type: string) =>
    drop(fields.image_input ?? type, 'a voice shows and plays nothing')
  return turns.flatMap((turn) => linesOf(turn, dropPart))
}

function linesOf(turn: Turn, dropPart: (type: string) => void): JsonObject[] {
  switch (turn.role) {
    case 'system':
      return [{ by: 'prompter', words: textsOf(turn.content).join('\n') }]
    case 'user':
      return [{ by: 'crowd', words: textsOf(turn.content).join('\n') }]
    case 'assistant':
      return voiceLines(turn.content, dropPart)
    case 'tool':
      return turn.results.map(resultLine)
  }
}

/** An answer that only thought says nothing. */
function voiceLines(
  content: readonly AssistantPart[],
  dropPart: (type: string) => void,
): JsonObject[] {
  for (const { type } of content) if (type === 'image' || type === 'audio') dropPart(type)
  const words = textsOf(content).join('')
  const calls = content.filter(isCall).map(encodeCall)
  if (words === '' && calls.length === 0) return []
  return [{ by: 'voice', words, ...(calls.length > 0 && { calls }) }]
}

function resultLine({ callId, content, failed }: ToolResult): JsonObject {
  const words = textsOf(content).join('\n')
  return { by: 'helper', call: safeToolId(callId), words, ...(failed && { failed }) }
}

function textsOf(content: readonly (UserPart | AssistantPart)[]): string[] {
  return content.flatMap((part) =>
    part.type === 'text' || part.type === 'refusal' ? [part.text] : [],
  )
}
