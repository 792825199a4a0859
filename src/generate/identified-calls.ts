import type { AssistantPart, ToolCallPart } from './content.ts'
import { safeToolId, toolIdOf } from './tool-ids.ts'

/** A call of an answer, and the id that it and its result go under at an account. */
export interface IdentifiedCall {
  readonly call: ToolCallPart
  readonly id: string
}

/**
 * Ids that every account takes; calls of one answer that share an id are told apart, and from those
 * whose ids are taken already.
 */
export function identifyCalls(
  content: readonly AssistantPart[],
  taken = new Set<string>(),
): IdentifiedCall[] {
  return content.flatMap((call) => {
    if (call.type !== 'tool_call') return []
    const safe = safeToolId(call.id)
    const id = taken.has(safe) ? toolIdOf(call.id, taken.size) : safe
    taken.add(id)
    return { call, id }
  })
}
