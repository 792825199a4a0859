import { append } from '../../../../../src/lib/append.ts'
import type { TokenLogprob } from '../../../../../src/generate/content.ts'
import type { PartHead } from '../../../../../src/generate/events.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import { objectsIn, stringAt } from '../../../../../src/lib/json/read.ts'
import { readCitations } from '../citations.ts'
import { ReasoningDetails } from './reasoning-details.ts'
import { type ReasoningField, detailedReasoning, plainReasoning } from '../signatures.ts'
import type { PartEmitter } from './part-emitter.ts'

/** The fields of a message that carry text. */
type TextField = 'content' | 'refusal' | ReasoningField

const heads: Readonly<Record<TextField, PartHead>> = {
  content: { type: 'text' },
  refusal: { type: 'refusal' },
  reasoning_content: { type: 'reasoning', form: 'raw' },
  reasoning: { type: 'reasoning', form: 'raw' },
}

/** Emits the text parts of one choice, one after another. A new part begins where the field changes. */
export class TextParts {
  hasRefusal = false
  readonly #parts: PartEmitter
  readonly #choice: number
  #field: TextField | undefined
  #index = -1
  /** Length of the whole content so far, in UTF-16 code units. */
  #length = 0
  /** Offset in the content at which the open part begins. */
  #start = 0
  /** Log probabilities that belong to the next text: a token may be less than a character. */
  #pendingLogprobs: TokenLogprob[] = []
  /** Details of reasoning that belong to the open reasoning, or to the next part without any. */
  #details: ReasoningDetails | undefined

  constructor(parts: PartEmitter, choice: number) {
    this.#parts = parts
    this.#choice = choice
  }

  /** Emits text of a field, in a new part if the field has changed. */
  append(field: TextField, text: string): void {
    if (field !== this.#field) this.#begin(field)
    if (field === 'content') this.#length += text.length
    if (this.#pendingLogprobs.length > 0 && field === 'content') this.#appendWithLogprobs(text)
    else this.#parts.delta(this.#index, text)
  }

  /** Stores log probabilities for the next text of the content. */
  addLogprobs(logprobs: readonly TokenLogprob[]): void {
    append(this.#pendingLogprobs, logprobs)
  }

  /** Emits annotations of the content as citations of the open part. */
  cite(annotations: unknown): void {
    if (this.#field !== 'content') return
    for (const citation of readCitations(annotations, this.#start)) {
      this.#parts.cite(this.#index, citation)
    }
  }

  /** Ends the open part, if there is one. */
  end(): void {
    const field = this.#field
    if (field === undefined) return
    if (field === 'reasoning_content' || field === 'reasoning') {
      const details = this.takeDetails()
      const isPlain = details.length === 0
      const signature = isPlain ? plainReasoning(field) : detailedReasoning(details, field)
      this.#parts.sign(this.#index, signature)
    }
    this.#field = undefined
    this.#parts.end(this.#index)
  }

  /** Reads `reasoning_details` of a whole message, or of a chunk. */
  addDetails(list: unknown, areWhole: boolean): void {
    this.#details ??= new ReasoningDetails()
    this.#details.add(list, areWhole)
  }

  /** Returns the pending details, which are pending no more. */
  takeDetails(): readonly JsonObject[] {
    return this.#details?.take() ?? []
  }

  /** Emits pending details as reasoning without text, where no part is open. */
  endDetails(): void {
    const details = this.takeDetails()
    if (details.length === 0) return
    const index = this.#parts.begin(this.#choice, { type: 'reasoning', form: 'redacted' })
    this.#parts.sign(index, detailedReasoning(details, undefined))
    this.#parts.end(index)
  }

  #begin(field: TextField): void {
    this.end()
    if (field === 'content' || field === 'refusal') this.endDetails()
    this.#field = field
    this.#start = this.#length
    this.#index = this.#parts.begin(this.#choice, heads[field])
    if (field === 'refusal') this.hasRefusal = true
  }

  #appendWithLogprobs(text: string): void {
    this.#parts.deltaWith(this.#index, text, this.#pendingLogprobs)
    this.#pendingLogprobs = []
  }
}

/** Reads content that some providers send as a list of text, thinking and refusal parts. */
export function readContentParts(list: unknown, texts: TextParts): void {
  for (const part of objectsIn(list)) {
    if (part.type === 'thinking') readThinking(part.thinking, texts)
    else if (part.type === 'text') readText('content', part, texts)
    else if (part.type === 'refusal') {
      const refusal = stringAt(part, 'refusal')
      if (refusal) texts.append('refusal', refusal)
    }
  }
}

function readThinking(thinking: unknown, texts: TextParts): void {
  if (typeof thinking === 'string' && thinking !== '') texts.append('reasoning_content', thinking)
  for (const thought of objectsIn(thinking)) readText('reasoning_content', thought, texts)
}

function readText(field: 'content' | 'reasoning_content', part: unknown, texts: TextParts): void {
  const text = stringAt(part, 'text')
  if (text) texts.append(field, text)
}
