import type { RecordLoss } from '../../contract/codec.ts'
import { settingField } from '../../generate/fields.ts'
import { type MatchedAnswers, isCall } from '../../generate/match-results.ts'
import type { GenerateRequest } from '../../generate/request.ts'

/**
 * Records a loss if a tool call of the conversation has no result: accounts require one, so that the codec puts
 * `output` in its place, which the model reads as the tool's own words. `api` names the account's API.
 */
export function noteMissingResults(
  request: GenerateRequest,
  answers: MatchedAnswers,
  { api, output }: { readonly api: string; readonly output: string },
  drop: RecordLoss,
): void {
  const isAnswered = request.turns.every(
    (turn) =>
      turn.role !== 'assistant' || turn.content.every((part) => !isCall(part) || answers.has(part)),
  )
  if (isAnswered) return
  const reason = `the ${api} requires a result of every tool call; a call without one gets "${output}"`
  drop(settingField(request, 'conversation'), reason, 'send a result of each call')
}
