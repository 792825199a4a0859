import type { ToolResult } from './content.ts'
import { matchResults } from './match-results.ts'
import type { Notes } from './notes.ts'
import type { Turn } from './request.ts'

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
