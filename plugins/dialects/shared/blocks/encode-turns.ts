import { append } from '../../../../src/lib/append.ts'
import { safeToolId, toolIdOf } from '../../../../src/generate/call-ids.ts'
import type {
  AssistantPart,
  AudioPart,
  FilePart,
  ImagePart,
  ReasoningPart,
  TextPart,
  ToolCallPart,
  ToolResult,
  UserPart,
} from '../../../../src/generate/content.ts'
import {
  type MatchedAnswers,
  isCall,
  matchResults,
} from '../../../../src/generate/match-results.ts'
import { safeToolName } from '../../../../src/generate/names.ts'
import type { GenerateRequest, Turn } from '../../../../src/generate/request.ts'
import type { RecordLoss } from '../../../../src/contract/codec.ts'
import type { GatewayError } from '../../../../src/contract/errors.ts'
import { settingField } from '../../../../src/generate/fields.ts'
import { noteMissingResults } from '../../../../src/kit/codec/missing-results.ts'
import { refused } from '../../../../src/kit/codec/read.ts'
import type { JsonObject } from '../../../../src/lib/json/object.ts'
import type { ModelFacts } from './models.ts'
import { inputOf } from './tool-input.ts'

/** The result that the account gets for a tool call without a result in the conversation. */
const noResult = 'No result of this call was given.'
const missingResult = { content: [textOf(noResult)], failed: true }

/** A result of a call as the account gets it. */
export type WrittenResult = Pick<ToolResult, 'content' | 'failed' | 'cache'>

/** How an API writes the content blocks of a message. */
export interface BlockWriter {
  /** The API, as losses name it. */
  readonly api: string
  /** Texts, images and documents. Leaves out blank texts, which accounts refuse. */
  parts(content: readonly (TextPart | ImagePart | FilePart | AudioPart)[]): JsonObject[]
  /** A text, or no block if it is blank. */
  text(text: string): JsonObject[]
  /** The dialect whose signatures of reasoning accounts accept. They refuse reasoning that they did not sign. */
  readonly signedBy: string
  reasoning(part: Pick<ReasoningPart, 'text' | 'form'>, signature: string): JsonObject
  /** Whether a block is reasoning. Accounts refuse messages of the assistant that end with it. */
  isReasoning(block: JsonObject | undefined): boolean
  toolUse(id: string | undefined, name: string, input: JsonObject): JsonObject
  /** The result of the call with this id. */
  result(id: string, result: WrittenResult): JsonObject[]
}

/** An earlier answer of the model, in its own order. `ids` has the ids of its calls. */
function encodeAnswer(
  answer: readonly AssistantPart[],
  ids: ReadonlyMap<ToolCallPart, string>,
  writer: BlockWriter,
): JsonObject[] {
  const blocks = answer.flatMap((part) => {
    switch (part.type) {
      case 'text':
      case 'refusal':
        return writer.text(part.text)
      case 'reasoning': {
        const { signature } = part
        if (signature?.dialect !== writer.signedBy) return []
        return [writer.reasoning(part, signature.value)]
      }
      case 'tool_call':
        return [
          writer.toolUse(ids.get(part), safeToolName(part.name), inputOf(part.arguments).input),
        ]
      case 'image':
      case 'audio':
        return []
    }
  })
  while (writer.isReasoning(blocks.at(-1))) blocks.pop()
  return blocks
}

/** The parts of a result that belongs to no call of the conversation, after texts that say so. */
function partsOfStray({ callId, name, content, failed }: ToolResult): ToolResult['content'] {
  const call = name === undefined ? `the call ${callId}` : `${name} (${callId})`
  return [textOf(`Result of ${call}:`), ...(failed ? [textOf('Error:')] : []), ...content]
}

function textOf(text: string): TextPart {
  return { type: 'text', text }
}

/** A message of content blocks. */
export interface Message {
  readonly role: 'user' | 'assistant'
  readonly content: JsonObject[]
}

/** The text of a user message that the API requires and the conversation lacks. */
const continuation = textOf('Continue.')

/**
 * Encodes the conversation as messages of alternating roles, a user message first. Each result directly
 * follows the message with its call, before other content of the user. Throws if the conversation is empty,
 * or would begin or end with a message of the user that has no content.
 */
export function encodeTurns(
  request: GenerateRequest,
  blocks: BlockWriter,
  drop: RecordLoss,
): Message[] {
  const { turns, fields } = request
  const { api } = blocks
  const field = settingField(request, 'conversation')
  if (turns.length === 0) {
    throw refused('The accounts of this model require a message of the user.', field)
  }
  const answers = matchResults(turns)
  noteMissingResults(request, answers, { api, output: noResult }, drop)
  const writer = new ConversationWriter(blocks, answers, fields.empty_message)
  for (const turn of turns) writer.write(turn)
  const messages = writer.end()
  if (messages[0]?.role !== 'user') {
    drop(field, `the ${api} requires a message of the user first; it is "${continuation.text}"`)
    messages.unshift({ role: 'user', content: blocks.parts([continuation]) })
  }
  return messages
}

/** Whether the last message is a prefill that the model continues. Records the loss of one that it does not. */
export function mayPrefill(
  { fields: { assistant_prefill: field } }: GenerateRequest,
  messages: readonly Message[],
  { takesPrefill }: Pick<ModelFacts, 'takesPrefill'>,
  drop: RecordLoss,
): boolean {
  if (field === undefined || messages.at(-1)?.role !== 'assistant') return false
  if (!takesPrefill) drop(field, 'the model does not support a prefilled answer')
  return takesPrefill
}

/**
 * Makes the last message acceptable if it is an answer: accounts refuse a prefill that ends with a space,
 * and without a prefill the last message must be the user's.
 */
export function fixLastMessage(
  request: GenerateRequest,
  messages: Message[],
  to: { readonly blocks: BlockWriter; readonly usesPrefill: boolean; readonly drop: RecordLoss },
): void {
  const { blocks, usesPrefill, drop } = to
  const { role, content = [] } = messages.at(-1) ?? {}
  if (role !== 'assistant') return
  if (!usesPrefill) {
    // A prefill that the model does not support is a loss already.
    if (!request.fields.assistant_prefill) {
      const reason = `the ${blocks.api} requires a message of the user last; it is "${continuation.text}"`
      drop(settingField(request, 'conversation'), reason)
    }
    messages.push({ role: 'user', content: blocks.parts([continuation]) })
    return
  }
  const last = content.at(-1)
  if (typeof last?.text === 'string') {
    content[content.length - 1] = { ...last, text: last.text.trimEnd() }
  }
}

class ConversationWriter {
  readonly #messages: Message[] = []
  readonly #blocks: BlockWriter
  readonly #answers: MatchedAnswers
  readonly #matched: ReadonlySet<ToolResult>
  readonly #ids = new Set<string>()
  readonly #emptyField: string | undefined
  /** Whether the last turn is a message of the user without content. */
  #endsEmpty = false
  /** The last answer. Adjacent answers are merged, so that their calls stay parallel. */
  #answer: AssistantPart[] = []

  constructor(blocks: BlockWriter, answers: MatchedAnswers, emptyField: string | undefined) {
    this.#blocks = blocks
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
          if (!this.#matched.has(result))
            this.#add('user', this.#blocks.parts(partsOfStray(result)))
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
    const blocks = this.#blocks.parts(content)
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
    this.#add('assistant', encodeAnswer(answer, ids, this.#blocks))
    const results = [...ids].flatMap(([call, id]) =>
      this.#blocks.result(id, this.#answers.get(call) ?? missingResult),
    )
    this.#add('user', results)
    this.#add('user', this.#blocks.parts(answer.filter(isImage)))
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

/** Assistant messages cannot carry images, so a user message repeats them. */
function isImage(part: AssistantPart): part is ImagePart {
  return part.type === 'image'
}
