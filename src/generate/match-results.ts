import type { ToolCallPart, ToolResult } from './content.ts'
import type { Notes } from './notes.ts'
import type { Turn } from './request.ts'

/** Which result answers which call. */
export type MatchedAnswers = ReadonlyMap<ToolCallPart, ToolResult>

/**
 * Gives each call the first result that comes after it under its id, wherever that stands. Where an
 * id is used again in a later turn, results from then on are for the later call.
 */
export function matchResults(turns: readonly Turn[]): MatchedAnswers {
  const answers = new Map<ToolCallPart, ToolResult>()
  const open = new Map<string, ToolCallPart[]>()
  for (const turn of turns) {
    if (turn.role === 'assistant') noteCalls(turn.content.filter(isCall), open)
    if (turn.role !== 'tool') continue
    for (const result of turn.results) {
      const call = open.get(result.callId)?.shift()
      if (call) answers.set(call, result)
    }
  }
  return answers
}

function noteCalls(calls: readonly ToolCallPart[], open: Map<string, ToolCallPart[]>): void {
  for (const { id } of calls) open.set(id, [])
  for (const call of calls) open.get(call.id)?.push(call)
}

export function isCall(part: { readonly type: string }): part is ToolCallPart {
  return part.type === 'tool_call'
}

/** Notes the first result that answers no call. `fields` is what the client calls its results. */
export function noteStrayResult(
  turns: readonly Turn[],
  fields: ReadonlyMap<ToolResult, string>,
  notes: Notes,
): void {
  if (fields.size === 0) return
  const matched = new Set(matchResults(turns).values())
  for (const [result, field] of fields) {
    if (!matched.has(result)) notes.uses('tool_result_stray', field)
  }
}
