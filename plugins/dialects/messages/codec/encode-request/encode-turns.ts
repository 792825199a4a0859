import { safeToolId, toolIdOf } from '../../../../../src/generate/call-ids.ts'
import type {
  AssistantPart,
  ImagePart,
  ToolCallPart,
  ToolResult,
  UserPart,
} from '../../../../../src/generate/content.ts'
import {
  type MatchedAnswers,
  isCall,
  matchResults,
} from '../../../../../src/generate/match-results.ts'
import type { Turn } from '../../../../../src/generate/request.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import { encodeAnswer } from '../encode-answer.ts'
import { encodeShown } from '../encode-media.ts'

/** What a tool said, as the answer to the call of this id. Accounts want one for every call. */
export function encodeToolResult(id: string, result: ToolResult | undefined): JsonObject {
  if (!result) {
    const content = 'No result of this call was given.'
    return { type: 'tool_result', tool_use_id: id, content, is_error: true }
  }
  const content = encodeContent(result)
  return {
    type: 'tool_result',
    tool_use_id: id,
    ...(content !== undefined && { content }),
    ...(result.failed && { is_error: true }),
  }
}

/** One text is told as such, more as blocks. */
function encodeContent({ content }: ToolResult): unknown {
  const blocks = encodeShown(content)
  if (blocks.length === 0) return undefined
  return blocks.length === 1 && blocks[0]!.type === 'text' ? blocks[0]!.text : blocks
}

/** A result of a call that nobody made, told in words. */
export function encodeOrphanResult({ callId, name, content, failed }: ToolResult): JsonObject[] {
  const of = name === undefined ? `the call ${callId}` : `${name} (${callId})`
  const label = { type: 'text', text: `Result of ${of}:` }
  return [label, ...(failed ? [{ type: 'text', text: 'Error:' }] : []), ...encodeShown(content)]
}

export interface Message {
  readonly role: 'user' | 'assistant'
  readonly content: JsonObject[]
}

/** What a user says where the dialect wants one and nobody said anything. */
const goOn = { type: 'text', text: 'Continue.' }

/**
 * The conversation as messages of alternating roles, a user's first. Each call is answered directly
 * after the message that makes it, before anything else that the user says.
 */
export function encodeTurns(turns: readonly Turn[]): Message[] {
  const writer = new ConversationWriter(matchResults(turns))
  for (const turn of turns) writer.write(turn)
  return writer.end()
}

/** Has a user answer the model, where the model could not go on from its own words. */
export function endWithUser(messages: Message[]): void {
  messages.push({ role: 'user', content: [goOn] })
}

class ConversationWriter {
  readonly #messages: Message[] = []
  readonly #answers: MatchedAnswers
  readonly #matched: ReadonlySet<ToolResult>
  readonly #ids = new Set<string>()
  /** What the model said last: neighbouring answers are one, so that their calls stay parallel. */
  #answer: AssistantPart[] = []

  constructor(answers: MatchedAnswers) {
    this.#answers = answers
    this.#matched = new Set(answers.values())
  }

  write(turn: Turn): void {
    switch (turn.role) {
      case 'assistant':
        this.#answer.push(...turn.content)
        return
      case 'tool':
        this.#writeAnswer()
        for (const result of turn.results) {
          if (!this.#matched.has(result)) this.#add('user', encodeOrphanResult(result))
        }
        return
      case 'user':
        this.#writeUser(turn.content)
    }
  }

  end(): Message[] {
    this.#writeAnswer()
    if (this.#messages[0]?.role !== 'user') {
      this.#messages.unshift({ role: 'user', content: [goOn] })
    }
    return this.#messages
  }

  #writeUser(content: readonly UserPart[]): void {
    const blocks = encodeShown(content.filter((part) => part.type !== 'audio'))
    if (blocks.length === 0) return
    this.#writeAnswer()
    this.#add('user', blocks)
  }

  #writeAnswer(): void {
    const answer = this.#answer
    this.#answer = []
    const ids = this.#nameCalls(answer)
    this.#add('assistant', encodeAnswer(answer, ids))
    const results = [...ids].map(([call, id]) => encodeToolResult(id, this.#answers.get(call)))
    this.#add('user', results)
    this.#add('user', encodeShown(answer.filter(isImage)))
  }

  /** Ids that accounts take; calls that share one are told apart. */
  #nameCalls(answer: readonly AssistantPart[]): Map<ToolCallPart, string> {
    const ids = new Map<ToolCallPart, string>()
    for (const call of answer.filter(isCall)) {
      const safe = safeToolId(call.id)
      const id = this.#ids.has(safe) ? toolIdOf(call.id, this.#ids.size) : safe
      this.#ids.add(id)
      ids.set(call, id)
    }
    return ids
  }

  #add(role: Message['role'], blocks: readonly JsonObject[]): void {
    if (blocks.length === 0) return
    const last = this.#messages.at(-1)
    if (last?.role === role) last.content.push(...blocks)
    else this.#messages.push({ role, content: [...blocks] })
  }
}

/** An answer cannot show an image in this dialect, so the user shows it again. */
function isImage(part: AssistantPart): part is ImagePart {
  return part.type === 'image'
}
