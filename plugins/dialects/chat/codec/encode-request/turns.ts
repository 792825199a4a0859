import type {
  AssistantPart,
  FilePart,
  ImagePart,
  ToolCallPart,
  ToolResult,
  UserPart,
} from '../../../../../src/generate/content.ts'
import { append } from '../../../../../src/lib/append.ts'
import { type MatchedAnswers, matchResults } from '../../../../../src/generate/match-results.ts'
import type { Turn } from '../../../../../src/generate/request.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import { documentText } from './encode-parts.ts'

/** The tool message for a call, and the media for a user message after it. */
interface EncodedToolResult {
  readonly message: JsonObject
  readonly media: readonly UserPart[]
}

/** The result that the account gets for a tool call without a result in the conversation. */
export const noResult = 'No result.'

/** Encodes the result of the call with this id. A call without a result gets a placeholder. */
export function encodeToolResult(id: string, result: ToolResult | undefined): EncodedToolResult {
  if (!result) return { message: toolMessage(id, noResult), media: [] }
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

/** Encodes a result that belongs to no call of the conversation, as parts of a user message. */
function encodeOrphanResult(result: ToolResult): UserPart[] {
  const text = `The result of a tool call ${result.callId}:\n${textOf(result, false)}`
  return [{ type: 'text', text }, ...result.content.filter(needsMessage)]
}

function textOf({ content, failed }: ToolResult, hasMedia: boolean): string {
  const texts = content.flatMap((part) => {
    if (part.type === 'text') return [part.text]
    if (part.type !== 'file' || part.source.kind !== 'text') return []
    return [documentText(part, part.source.text)]
  })
  const text = texts.length === 0 && hasMedia ? 'See the next message.' : texts.join('\n')
  return failed ? `Error: ${text}` : text
}

function needsMessage(part: ToolResult['content'][number]): part is ImagePart | FilePart {
  return part.type === 'image' || (part.type === 'file' && part.source.kind !== 'text')
}

/** Maps calls to their results. */
export class MatchedResults {
  readonly byCall: MatchedAnswers
  readonly #matched: ReadonlySet<ToolResult>

  constructor(turns: readonly Turn[]) {
    this.byCall = matchResults(turns)
    this.#matched = new Set(this.byCall.values())
  }

  /** Returns the result of a call. */
  of(call: ToolCallPart): ToolResult | undefined {
    return this.byCall.get(call)
  }

  /** Whether the result belongs to no call. */
  isOrphan(result: ToolResult): boolean {
    return !this.#matched.has(result)
  }
}

/** A turn that becomes messages of its own. Results follow the message with their call. */
export type TextTurn = Exclude<Turn, { role: 'tool' }>

type AssistantTurn = Extract<Turn, { role: 'assistant' }>

/**
 * Returns the turns that become messages. Adjacent answers are merged. Results of a call are left out,
 * because they follow the message with the call; orphan results become user turns.
 */
export function textTurns(turns: readonly Turn[], results: MatchedResults): TextTurn[] {
  const merged: TextTurn[] = []
  let hasResults = false
  let answer: Answer | undefined
  for (const turn of turns) {
    const next = toTextTurn(turn, results)
    if (turn.role === 'tool') hasResults = true
    if (next.content.length === 0) continue
    if (next.role === 'assistant' && answer && !(hasResults && answer.hasCalls)) {
      merged[merged.length - 1] = answer.join(next)
    } else {
      merged.push(next)
      answer = next.role === 'assistant' ? new Answer(next) : undefined
      hasResults = false
    }
  }
  return merged
}

/** Removes empty system texts, and results that follow their calls. */
function toTextTurn(turn: Turn, results: MatchedResults): TextTurn {
  if (turn.role === 'system') {
    return { role: 'system', content: turn.content.filter(({ text }) => text !== '') }
  }
  if (turn.role !== 'tool') return turn
  const orphans = turn.results.filter((result) => results.isOrphan(result))
  return { role: 'user', content: orphans.flatMap(encodeOrphanResult) }
}

/** An answer that others may follow. It is copied once, however many do. */
class Answer {
  hasCalls: boolean
  #turn: AssistantTurn
  #own: AssistantPart[] | undefined

  constructor(turn: AssistantTurn) {
    this.#turn = turn
    this.hasCalls = hasCalls(turn.content)
  }

  /** Adds the parts of the next answer and returns the turn of both. */
  join({ content }: AssistantTurn): AssistantTurn {
    this.#own ??= [...this.#turn.content]
    append(this.#own, content)
    this.hasCalls ||= hasCalls(content)
    return (this.#turn = { role: 'assistant', content: this.#own })
  }
}

function hasCalls(content: readonly AssistantPart[]): boolean {
  return content.some(({ type }) => type === 'tool_call')
}
