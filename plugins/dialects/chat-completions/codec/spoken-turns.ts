import type { AssistantPart } from '../../../../src/generate/content.ts'
import type { Turn } from '../../../../src/generate/request.ts'
import { looseResult } from './encode-results.ts'
import type { MatchedResults } from './matched-results.ts'

export type SpokenTurn = Exclude<Turn, { role: 'tool' }>

/**
 * The turns that say something, each answer in one piece. Results that answer a call are told with
 * it; the others are a user's words.
 */
export function spokenTurns(turns: readonly Turn[], results: MatchedResults): SpokenTurn[] {
  const spoken: SpokenTurn[] = []
  let hasResults = false
  for (const turn of turns) {
    const said = spokenOf(turn, results)
    if (turn.role === 'tool') hasResults = true
    if (said.content.length === 0) continue
    const last = spoken.at(-1)
    if (
      said.role === 'assistant' &&
      last?.role === 'assistant' &&
      !(hasResults && calls(last.content))
    ) {
      spoken[spoken.length - 1] = { role: 'assistant', content: [...last.content, ...said.content] }
    } else {
      spoken.push(said)
      hasResults = false
    }
  }
  return spoken
}

/** Without what says nothing here: results that are told with their calls, and empty system texts. */
function spokenOf(turn: Turn, results: MatchedResults): SpokenTurn {
  if (turn.role === 'system') {
    return { role: 'system', content: turn.content.filter(({ text }) => text !== '') }
  }
  if (turn.role !== 'tool') return turn
  const loose = turn.results.filter((result) => results.isLoose(result))
  return { role: 'user', content: loose.flatMap(looseResult) }
}

function calls(content: readonly AssistantPart[]): boolean {
  return content.some(({ type }) => type === 'tool_call')
}
