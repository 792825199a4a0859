import type { TokenLogprob } from '../../../../../src/generate/content.ts'
import type { PartHead } from '../../../../../src/generate/events.ts'
import { objectsIn, stringAt } from '../../../../../src/lib/json/read.ts'
import { readCitations } from '../citations.ts'
import { type ReasoningField, plainReasoning } from '../signatures.ts'
import type { PartEmitter } from './part-emitter.ts'

/** Where the model's words stand in a message. */
export type TextField = 'content' | 'refusal' | ReasoningField

const heads: Readonly<Record<TextField, PartHead>> = {
  content: { type: 'text' },
  refusal: { type: 'refusal' },
  reasoning_content: { type: 'reasoning', form: 'raw' },
  reasoning: { type: 'reasoning', form: 'raw' },
}

/** What one choice says in words: one part after another, a new one where the field changes. */
export class TextParts {
  hasRefusal = false
  readonly #parts: PartEmitter
  readonly #choice: number
  #field: TextField | undefined
  #index = -1
  /** Of the whole content, and what of it came before the open part. */
  #length = 0
  #start = 0
  /** Of tokens that were no whole character yet. */
  #held: TokenLogprob[] = []

  constructor(parts: PartEmitter, choice: number) {
    this.#parts = parts
    this.#choice = choice
  }

  say(field: TextField, text: string): void {
    if (field !== this.#field) this.#begin(field)
    if (field === 'content') this.#length += text.length
    if (this.#held.length > 0 && field === 'content') this.#sayWithHeld(text)
    else this.#parts.delta(this.#index, text)
  }

  /** Belongs to the next text. */
  hold(logprobs: readonly TokenLogprob[]): void {
    this.#held.push(...logprobs)
  }

  /** Annotations of the content, of which the text that is open can be told. */
  cite(annotations: unknown): void {
    if (this.#field !== 'content') return
    for (const citation of readCitations(annotations, this.#start)) {
      this.#parts.cite(this.#index, citation)
    }
  }

  /** Something else begins. */
  end(): void {
    const field = this.#field
    if (field === undefined) return
    if (field === 'reasoning_content' || field === 'reasoning') {
      this.#parts.sign(this.#index, plainReasoning(field))
    }
    this.#field = undefined
    this.#parts.end(this.#index)
  }

  #begin(field: TextField): void {
    this.end()
    this.#field = field
    this.#start = this.#length
    this.#index = this.#parts.begin(this.#choice, heads[field])
    if (field === 'refusal') this.hasRefusal = true
  }

  #sayWithHeld(text: string): void {
    this.#parts.deltaWith(this.#index, text, this.#held)
    this.#held = []
  }
}

/** A content that some providers write as a list of texts and thoughts. */
export function readContentParts(list: unknown, prose: TextParts): void {
  for (const piece of objectsIn(list)) {
    if (piece.type === 'thinking') sayThoughts(piece.thinking, prose)
    else if (piece.type === 'text') sayText('content', piece, prose)
    else if (piece.type === 'refusal') {
      const refusal = stringAt(piece, 'refusal')
      if (refusal) prose.say('refusal', refusal)
    }
  }
}

function sayThoughts(thinking: unknown, prose: TextParts): void {
  if (typeof thinking === 'string' && thinking !== '') prose.say('reasoning_content', thinking)
  for (const thought of objectsIn(thinking)) sayText('reasoning_content', thought, prose)
}

function sayText(field: 'content' | 'reasoning_content', piece: unknown, prose: TextParts): void {
  const said = stringAt(piece, 'text')
  if (said) prose.say(field, said)
}
