import type { ToolCallPart, ToolResult } from '../../../../src/generate/content.ts'
import type { Turn } from '../../../../src/generate/request.ts'

/** Which result answers which call: the first for the first call of its id, and so on. */
export class MatchedResults {
  readonly #byCall = new Map<ToolCallPart, ToolResult>()
  readonly #matched = new Set<ToolResult>()

  constructor(turns: readonly Turn[]) {
    const open = resultsById(turns)
    for (const turn of turns) {
      if (turn.role !== 'assistant') continue
      for (const part of turn.content) {
        const result = part.type === 'tool_call' ? open.get(part.id)?.shift() : undefined
        if (result) this.#match(part as ToolCallPart, result)
      }
    }
  }

  of(call: ToolCallPart): ToolResult | undefined {
    return this.#byCall.get(call)
  }

  /** Whether no call is left that it could answer. */
  isLoose(result: ToolResult): boolean {
    return !this.#matched.has(result)
  }

  #match(call: ToolCallPart, result: ToolResult): void {
    this.#byCall.set(call, result)
    this.#matched.add(result)
  }
}

function resultsById(turns: readonly Turn[]): Map<string, ToolResult[]> {
  const open = new Map<string, ToolResult[]>()
  for (const turn of turns) {
    if (turn.role !== 'tool') continue
    for (const result of turn.results) {
      const others = open.get(result.callId)
      if (others) others.push(result)
      else open.set(result.callId, [result])
    }
  }
  return open
}
