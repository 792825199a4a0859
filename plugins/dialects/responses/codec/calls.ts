import type { ToolCallPart, ToolResult } from '../../../../src/generate/content.ts'
import { identifyCalls } from '../../../../src/generate/identified-calls.ts'
import { matchResults } from '../../../../src/generate/match-results.ts'
import type { Turn } from '../../../../src/generate/request.ts'

/** A call, and the id that it and its output go under. */
export interface SentCall {
  readonly id: string
  readonly kind: ToolCallPart['kind']
  readonly isAnswered: boolean
}

/** The calls of a conversation. */
export interface Calls {
  readonly sent: ReadonlyMap<ToolCallPart, SentCall>
  /** The call that each result is of; a result that is not among them belongs to none. */
  readonly answered: ReadonlyMap<ToolResult, SentCall>
}

/** Outputs find their calls by id alone, so no two calls of a conversation share one. */
export function callsIn(turns: readonly Turn[]): Calls {
  const sent = new Map<ToolCallPart, SentCall>()
  const answered = new Map<ToolResult, SentCall>()
  const results = matchResults(turns)
  const taken = new Set<string>()
  for (const turn of turns) {
    if (turn.role !== 'assistant') continue
    for (const { call, id } of identifyCalls(turn.content, taken)) {
      const result = results.get(call)
      const one = { id, kind: call.kind, isAnswered: result !== undefined }
      sent.set(call, one)
      if (result) answered.set(result, one)
    }
  }
  return { sent, answered }
}
