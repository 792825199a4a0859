import type { ToolCallPart } from '../../../../src/generate/content.ts'
import type { Turn } from '../../../../src/generate/request.ts'

/** The calls of a conversation: which were made, and which have been answered. */
export interface Calls {
  readonly made: ReadonlyMap<string, ToolCallPart['kind']>
  readonly answered: ReadonlySet<string>
}

export function callsIn(turns: readonly Turn[]): Calls {
  const made = new Map<string, ToolCallPart['kind']>()
  const answered = new Set<string>()
  for (const turn of turns) {
    if (turn.role === 'tool') for (const { callId } of turn.results) answered.add(callId)
    if (turn.role !== 'assistant') continue
    for (const part of turn.content) if (part.type === 'tool_call') made.set(part.id, part.kind)
  }
  return { made, answered }
}
