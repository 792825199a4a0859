import { append } from '../../../../../src/lib/append.ts'
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
import type { GenerateRequest, Turn } from '../../../../../src/generate/request.ts'
import type { RecordLoss } from '../../../../../src/contract/codec.ts'
import type { GatewayError } from '../../../../../src/contract/errors.ts'
import { settingField } from '../../../../../src/generate/fields.ts'
import { noteMissingResults } from '../../../../../src/kit/codec/missing-results.ts'
import { refused } from '../../../../../src/kit/codec/read.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import { encodeAnswer } from '../encode-answer.ts'
import { encodeParts } from '../encode-media.ts'

/** The result that the account gets for a tool call without a result in the conversation. */
const noResult = 'No result of this call was given.'

/** Encodes the result of the call with this id. Accounts require one for every call. */
function encodeToolResult(id: string, result: ToolResult | undefined): JsonObject {
  if (!result) return { type: 'tool_result', tool_use_id: id, content: noResult, is_error: true }
  const content = encodeContent(result)
  return {
    type: 'tool_result',
    tool_use_id: id,
    ...(content !== undefined && { content }),
    ...(result.failed && { is_error: true }),
  }
}

/** Encodes a single text as a string, other content as blocks. */
function encodeContent({ content }: ToolResult): unknown {
  const blocks = encodeParts(content)
  if (blocks.length === 0) return undefined
  return blocks.length === 1 && blocks[0]!.type === 'text' ? blocks[0]!.text : blocks
}

/** Encodes a result that belongs to no call of the conversation, as text. */
function encodeOrphanResult({ callId, name, content, failed }: ToolResult): JsonObject[] {
  const call = name === undefined ? `the call ${callId}` : `${name} (${callId})`
  const label = { type: 'text', text: `Result of ${call}:` }
  return [label, ...(failed ? [{ type: 'text', text: 'Error:' }] : []), ...encodeParts(content)]
}

/** A message of the Messages API. */
export interface Message {
  readonly role: 'user' | 'assistant'
  readonly content: JsonObject[]
}

/** The text of a user message that the dialect requires and the conversation lacks. */
const continueBlock = { type: 'text', text: 'Continue.' }

/**
 * Encodes the conversation as messages of alternating roles, a user message first. Each result directly
 * follows the message with its call, before other content of the user. Throws if the conversation is empty,
 * or would begin or end with a message of the user that has no content.
 */
export function encodeTurns(request: GenerateRequest, drop: RecordLoss): Message[] {
  const { turns, fields } = request
  const field = settingField(request, 'conversation')
  if (turns.length === 0) {
    throw refused('The accounts of this model require a message of the user.', field)
  }
  const answers = matchResults(turns)
  noteMissingResults(request, answers, { api: 'Messages API', output: noResult }, drop)
  const writer = new ConversationWriter(answers, fields.empty_message)
  for (const turn of turns) writer.write(turn)
  const messages = writer.end()
  if (messages[0]?.role !== 'user') {
    drop(field, 'the Messages API requires a message of the user first; it is "Continue."')
    messages.unshift({ role: 'user', content: [continueBlock] })
  }
  return messages
}

/** Appends a user message after an answer that the model cannot continue. */
export function endWithUser(messages: Message[]): void {
  messages.push({ role: 'user', content: [continueBlock] })
}

class ConversationWriter {
  readonly #messages: Message[] = []
  readonly #answers: MatchedAnswers
  readonly #matched: ReadonlySet<ToolResult>
  readonly #ids = new Set<string>()
  readonly #emptyField: string | undefined
  /** Whether the last turn is a message of the user without content. */
  #endsEmpty = false
  /** The last answer. Adjacent answers are merged, so that their calls stay parallel. */
  #answer: AssistantPart[] = []

  constructor(answers: MatchedAnswers, emptyField: string | undefined) {
    this.#answers = answers
    this.#emptyField = emptyField
    this.#matched = new Set(answers.values())
  }

  write(turn: Turn): void {
    switch (turn.role) {
      case 'assistant':
        // The gateway does not invent a message of the user in place of an empty one.
        if (this.#endsEmpty && this.#isAtStart) throw this.#empty()
        this.#endsEmpty = false
        append(this.#answer, turn.content)
        return
      case 'tool':
        this.#endsEmpty = false
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
    if (this.#endsEmpty) throw this.#empty()
    this.#writeAnswer()
    return this.#messages
  }

  #writeUser(content: readonly UserPart[]): void {
    const blocks = encodeParts(content.filter((part) => part.type !== 'audio'))
    const isEmpty = blocks.length === 0
    // An empty message beside another of the user takes nothing from the conversation.
    if (isEmpty && this.#messages.at(-1)?.role === 'user' && this.#answer.length === 0) return
    this.#endsEmpty = isEmpty
    if (isEmpty) return
    this.#writeAnswer()
    this.#add('user', blocks)
  }

  get #isAtStart(): boolean {
    return this.#messages.length === 0 && this.#answer.length === 0
  }

  #empty(): GatewayError {
    return refused(
      'The accounts of this model accept no empty message of the user.',
      this.#emptyField,
    )
  }

  #writeAnswer(): void {
    const answer = this.#answer
    this.#answer = []
    const ids = this.#assignIds(answer)
    this.#add('assistant', encodeAnswer(answer, ids))
    const results = [...ids].map(([call, id]) => encodeToolResult(id, this.#answers.get(call)))
    this.#add('user', results)
    this.#add('user', encodeParts(answer.filter(isImage)))
  }

  /** Assigns each call an id that accounts accept. Calls with the same id get different ones. */
  #assignIds(answer: readonly AssistantPart[]): Map<ToolCallPart, string> {
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
    if (last?.role === role) append(last.content, blocks)
    else this.#messages.push({ role, content: [...blocks] })
  }
}

/** Assistant messages of this dialect cannot carry images, so a user message repeats them. */
function isImage(part: AssistantPart): part is ImagePart {
  return part.type === 'image'
}
