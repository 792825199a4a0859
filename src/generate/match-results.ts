import type { ToolCallPart, ToolResult } from './content.ts'
import type { Notes } from './notes.ts'
import type { Turn } from './request.ts'
import { TextMap, keyOf } from '../lib/text-map.ts'

/** Tool results by their tool calls. */
export type MatchedAnswers = ReadonlyMap<ToolCallPart, ToolResult>

/**
 * Matches each tool call with the first later result of the same id. If a later turn uses an id again,
 * results from then on belong to the later call.
 */
export function matchResults(turns: readonly Turn[]): MatchedAnswers {
  const answers = new Map<ToolCallPart, ToolResult>()
  const open: OpenCalls = new TextMap()
  for (const turn of turns) {
    if (turn.role === 'assistant') noteCalls(turn.content.filter(isCall), open)
    if (turn.role !== 'tool') continue
    for (const result of turn.results) {
      const call = open.get(result.callId)?.next().value
      if (call) answers.set(call, result)
    }
  }
  return answers
}

/** By id. */
type OpenCalls = TextMap<Iterator<ToolCallPart, undefined>>

function noteCalls(calls: readonly ToolCallPart[], open: OpenCalls): void {
  for (const [key, same] of Map.groupBy(calls, ({ id }) => keyOf(id))) open.set(key, same.values())
}

/** Whether a part is a tool call. */
export function isCall(part: { readonly type: string }): part is ToolCallPart {
  return part.type === 'tool_call'
}

/** Records `tool_result_stray` for the first result without a call. `fields` has the field of each result. */
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
