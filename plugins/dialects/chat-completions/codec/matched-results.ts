import type { ToolCallPart, ToolResult } from '../../../../src/generate/content.ts'
import { type Answers, matchResults } from '../../../../src/generate/match-results.ts'
import type { Turn } from '../../../../src/generate/request.ts'

/** Which result answers which call. */
export class MatchedResults {
  readonly #byCall: Answers
  readonly #matched: ReadonlySet<ToolResult>

  constructor(turns: readonly Turn[]) {
    this.#byCall = matchResults(turns)
    this.#matched = new Set(this.#byCall.values())
  }

  of(call: ToolCallPart): ToolResult | undefined {
    return this.#byCall.get(call)
  }

  /** Whether no call is left that it could answer. */
  isLoose(result: ToolResult): boolean {
    return !this.#matched.has(result)
  }
}
