import { append } from '../../../../../src/lib/append.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type { AssistantPart, ToolResult, UserPart } from '../../../../../src/generate/content.ts'
import { type MatchedAnswers, matchResults } from '../../../../../src/generate/match-results.ts'
import { settingField } from '../../../../../src/generate/fields.ts'
import type { GenerateRequest, Turn } from '../../../../../src/generate/request.ts'
import type { RecordLoss } from '../../../../../src/contract/codec.ts'
import { noteMissingResults } from '../../../../../src/kit/codec/missing-results.ts'
import { encodeAnswer, nameCalls } from './encode-answer.ts'
import { encodeMedia } from './encode-media.ts'
import { encodeOrphanResult, encodeResponse, noResult } from './encode-results.ts'
import type { ModelFacts } from './models.ts'
import type { DeclaredToolNames } from '../tool-names.ts'

interface Content {
  readonly role: 'user' | 'model'
  readonly parts: JsonObject[]
}

/** A part for a content that must not be empty: accounts refuse empty texts. */
const blankPart: JsonObject = { text: ' ' }

/**
 * Encodes the conversation as contents of alternating roles, a user content first. The responses to the
 * calls of a content are at the beginning of the next one, wherever the results are in the conversation.
 */
export function encodeContents(
  request: GenerateRequest,
  names: DeclaredToolNames,
  model: ModelFacts,
  drop: RecordLoss,
): readonly Content[] {
  const { turns } = request
  const answers = matchResults(turns)
  noteMissingResults(request, answers, { api: 'Gemini API', output: noResult }, drop)
  const writer = new ContentsWriter(answers, names, model)
  for (const turn of joinAnswers(turns)) writer.write(turn)
  const { contents } = writer
  if (contents[0]?.role !== 'user') {
    const reason = 'the Gemini API requires a content of the user first; it is blank'
    drop(settingField(request, 'conversation'), reason)
    contents.unshift({ role: 'user', parts: [blankPart] })
  }
  return contents
}

class ContentsWriter {
  readonly contents: Content[] = []
  readonly #names: DeclaredToolNames
  readonly #model: ModelFacts
  readonly #answers: MatchedAnswers
  readonly #matched: ReadonlySet<ToolResult>

  constructor(answers: MatchedAnswers, names: DeclaredToolNames, model: ModelFacts) {
    this.#names = names
    this.#model = model
    this.#answers = answers
    this.#matched = new Set(answers.values())
  }

  write(turn: Turn): void {
    switch (turn.role) {
      case 'system':
        return
      case 'user':
        return this.#push('user', turn.content.flatMap(encodeUserPart))
      case 'assistant':
        return this.#writeAnswer(turn.content)
      case 'tool':
        for (const result of turn.results) {
          if (!this.#matched.has(result)) this.#push('user', encodeOrphanResult(result))
        }
    }
  }

  #writeAnswer(content: readonly AssistantPart[]): void {
    const calls = nameCalls(content, this.#names)
    this.#push('model', encodeAnswer(content, calls, this.#model))
    const responses = calls.map(({ call, id, name }) =>
      encodeResponse(id, name, this.#answers.get(call), this.#model),
    )
    this.#push(
      'user',
      responses.map(({ part }) => part),
    )
    this.#push(
      'user',
      responses.flatMap(({ media }) => media),
    )
  }

  #push(role: Content['role'], parts: readonly JsonObject[]): void {
    if (parts.length === 0) return
    const last = this.contents.at(-1)
    if (last?.role === role) append(last.parts, parts)
    else this.contents.push({ role, parts: [...parts] })
  }
}

function encodeUserPart(part: UserPart): JsonObject[] {
  if (part.type !== 'text') return encodeMedia(part)
  return part.text === '' ? [] : [{ text: part.text }]
}

/** Merges adjacent answers, and removes system turns, which become the system instruction. */
function joinAnswers(turns: readonly Turn[]): Turn[] {
  const joined: Turn[] = []
  let answer: AssistantPart[] | undefined
  for (const turn of turns) {
    if (turn.role === 'system') continue
    if (turn.role !== 'assistant') answer = undefined
    else if (answer) {
      for (const part of turn.content) answer.push(part)
      continue
    } else answer = [...turn.content]
    joined.push(answer ? { role: 'assistant', content: answer } : turn)
  }
  return joined
}
