import type { JsonObject } from '../../../../src/codec.ts'
import type {
  AssistantPart,
  ImagePart,
  ToolCallPart,
  ToolResult,
  UserPart,
} from '../../../../src/generate/content.ts'
import type { Turn } from '../../../../src/generate/request.ts'
import { safeToolId, toolIdOf } from '../../../../src/generate/tool-ids.ts'
import { encodeAnswer } from './encode-answer.ts'
import { encodeShown } from './encode-media.ts'
import { encodeResult, encodeStray } from './encode-results.ts'
import { type Answers, isCall, matchResults } from '../../../../src/generate/match-results.ts'

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
  readonly #answers: Answers
  readonly #matched: ReadonlySet<ToolResult>
  readonly #ids = new Set<string>()
  /** What the model said last: neighbouring answers are one, so that their calls stay parallel. */
  #answer: AssistantPart[] = []

  constructor(answers: Answers) {
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
          if (!this.#matched.has(result)) this.#add('user', encodeStray(result))
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
    const results = [...ids].map(([call, id]) => encodeResult(id, this.#answers.get(call)))
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
