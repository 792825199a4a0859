import type {
  AssistantPart,
  FilePart,
  ImagePart,
  ToolCallPart,
  ToolResult,
  UserPart,
} from '../../../../../src/generate/content.ts'
import { type MatchedAnswers, matchResults } from '../../../../../src/generate/match-results.ts'
import type { Turn } from '../../../../../src/generate/request.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'

/** The message that answers a call, and what it could not hold, for a user's message after it. */
export interface EncodedToolResult {
  readonly message: JsonObject
  readonly media: readonly UserPart[]
}

/** The answer to the call that goes under `id`. Every call must have one. */
export function encodeToolResult(id: string, result: ToolResult | undefined): EncodedToolResult {
  if (!result) return { message: toolMessage(id, 'No result.'), media: [] }
  const media = result.content.filter(needsMessage)
  const label: UserPart = { type: 'text', text: `From the result of the tool call ${id}:` }
  return {
    message: toolMessage(id, textOf(result, media.length > 0)),
    media: media.length > 0 ? [label, ...media] : [],
  }
}

function toolMessage(id: string, content: string): JsonObject {
  return { role: 'tool', tool_call_id: id, content }
}

/** A result that answers no call of the conversation. */
export function orphanResult(result: ToolResult): UserPart[] {
  const text = `The result of a tool call ${result.callId}:\n${textOf(result, false)}`
  return [{ type: 'text', text }, ...result.content.filter(needsMessage)]
}

function textOf({ content, failed }: ToolResult, hasMedia: boolean): string {
  const texts = content.flatMap((part) => {
    if (part.type === 'text') return [part.text]
    return part.type === 'file' && part.source.kind === 'text' ? [part.source.text] : []
  })
  const said = texts.length === 0 && hasMedia ? 'See the next message.' : texts.join('\n')
  return failed ? `Error: ${said}` : said
}

function needsMessage(part: ToolResult['content'][number]): part is ImagePart | FilePart {
  return part.type === 'image' || (part.type === 'file' && part.source.kind !== 'text')
}

/** Which result answers which call. */
export class MatchedResults {
  readonly #byCall: MatchedAnswers
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

export type TextTurn = Exclude<Turn, { role: 'tool' }>

/**
 * The turns that say something, each answer in one piece. Results that answer a call are told with
 * it; the others are a user's words.
 */
export function textTurns(turns: readonly Turn[], results: MatchedResults): TextTurn[] {
  const spoken: TextTurn[] = []
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
function spokenOf(turn: Turn, results: MatchedResults): TextTurn {
  if (turn.role === 'system') {
    return { role: 'system', content: turn.content.filter(({ text }) => text !== '') }
  }
  if (turn.role !== 'tool') return turn
  const loose = turn.results.filter((result) => results.isLoose(result))
  return { role: 'user', content: loose.flatMap(orphanResult) }
}

function calls(content: readonly AssistantPart[]): boolean {
  return content.some(({ type }) => type === 'tool_call')
}
