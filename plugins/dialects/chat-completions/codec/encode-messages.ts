import type { JsonObject } from '../../../../src/codec.ts'
import { identifyCalls } from '../../../../src/generate/identified-calls.ts'
import type { AssistantPart, UserPart } from '../../../../src/generate/content.ts'
import type { Turn } from '../../../../src/generate/request.ts'
import { encodeAnswer, mediaOf } from './encode-answer.ts'
import { encodeUserContent, joinTexts } from './encode-parts.ts'
import { encodeResult } from './encode-results.ts'
import { MatchedResults } from './matched-results.ts'
import { type SpokenTurn, spokenTurns } from './spoken-turns.ts'

/**
 * The conversation as messages. Each call is answered directly after the message that makes it,
 * wherever its result stands; what a result could not say follows as a user's message. What the
 * system says is said in the role that the model reads.
 */
export function encodeMessages(
  turns: readonly Turn[],
  systemRole: 'developer' | 'system',
): JsonObject[] {
  const results = new MatchedResults(turns)
  const messages = spokenTurns(turns, results).flatMap((turn) =>
    turn.role === 'system'
      ? [{ role: systemRole, content: joinTexts(turn.content, '\n\n') }]
      : messagesOf(turn, results),
  )
  return messages.length > 0 ? messages : [{ role: 'user', content: '' }]
}

function messagesOf(
  turn: Exclude<SpokenTurn, { role: 'system' }>,
  results: MatchedResults,
): JsonObject[] {
  return turn.role === 'user' ? userMessage(turn.content) : answerMessages(turn.content, results)
}

function userMessage(content: readonly UserPart[]): JsonObject[] {
  return content.length === 0 ? [] : [{ role: 'user', content: encodeUserContent(content) }]
}

function answerMessages(content: readonly AssistantPart[], results: MatchedResults): JsonObject[] {
  const calls = identifyCalls(content)
  const answer = encodeAnswer(content, calls)
  const told = calls.map(({ id, call }) => encodeResult(id, results.of(call)))
  const media = [...mediaOf(content), ...told.flatMap(({ media }) => media)]
  return [...(answer ? [answer] : []), ...told.map(({ message }) => message), ...userMessage(media)]
}
