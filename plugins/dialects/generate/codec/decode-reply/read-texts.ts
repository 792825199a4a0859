import type { TokenLogprob } from '../../../../../src/generate/content.ts'
import type { GenerateEvent } from '../../../../../src/generate/events.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import { objectAt, stringAt } from '../../../../../src/lib/json/read.ts'
import { isCited, readCitations } from '../citations.ts'
import { readLogprobs } from '../logprobs.ts'
import { readPartSignature } from '../signatures.ts'
import type { DeclaredToolNames } from '../tool-names.ts'

/** What the candidates of a reply share while it is read. */
export interface ReplyParts {
  readonly emit: (event: GenerateEvent) => void
  /** The index of the next part. */
  next: number
  /** What calls without an id are named after. */
  origin: string
  /** Of the request: tells replies without an id apart. */
  readonly turns: number
  readonly names: DeclaredToolNames
}

const heads = {
  text: { type: 'text' },
  reasoning: { type: 'reasoning', form: 'summary' },
} as const

/** Reads the texts and thoughts of one candidate: neighbours of one kind are one part. */
export class TextsReader {
  readonly #choice: number
  readonly #reply: ReplyParts
  /** Sources are told of a text before it has ended. */
  readonly #cited: JsonObject[] = []
  #open: keyof typeof heads | undefined
  #index = -1
  /** All that was said, without thoughts: what positions of sources count in. */
  #said = ''
  #partStart = 0
  #logprobs: TokenLogprob[] | undefined

  constructor(choice: number, reply: ReplyParts) {
    this.#choice = choice
    this.#reply = reply
  }

  /** Whether anything was said. Thoughts alone are nothing. */
  get hasSaid(): boolean {
    return this.#said !== ''
  }

  /** Whether there was anything at all, thoughts included. */
  get hasBegun(): boolean {
    return this.#index >= 0
  }

  /** What a chunk of the candidate tells about its texts. */
  note(candidate: JsonObject): void {
    if (isCited(candidate)) this.#cited.push(candidate)
    const logprobs = objectAt(candidate, 'logprobsResult')
    if (logprobs) this.#logprobs = readLogprobs(logprobs)
  }

  read(part: JsonObject, text: string): void {
    const kind = part.thought === true ? 'reasoning' : 'text'
    if (text !== '') this.#append(kind, text)
    if (part.thoughtSignature !== undefined) this.#sign(kind, part)
  }

  /** More of what is open. */
  again(text: string): void {
    if (this.#open !== undefined) this.#append(this.#open, text)
  }

  close(): void {
    if (this.#open === undefined) return
    if (this.#open === 'text') this.#cite()
    this.#open = undefined
    this.#reply.emit({ type: 'end', index: this.#index })
  }

  #append(kind: keyof typeof heads, text: string): void {
    if (this.#open !== kind) this.#begin(kind)
    const index = this.#index
    if (kind === 'reasoning') return this.#reply.emit({ type: 'delta', index, text })
    this.#said += text
    const logprobs = this.#logprobs
    this.#logprobs = undefined
    this.#reply.emit(
      logprobs ? { type: 'delta', index, text, logprobs } : { type: 'delta', index, text },
    )
  }

  /** A signature ends its part. It may stand on a part of its own behind it, without text. */
  #sign(kind: keyof typeof heads, part: JsonObject): void {
    const signed = readPartSignature(stringAt(part, 'thoughtSignature'))
    if (!signed) return
    if (this.#open !== kind) this.#begin(kind)
    const { signature } = signed
    this.#reply.emit({ type: 'signature', index: this.#index, signature })
    this.close()
  }

  #begin(kind: keyof typeof heads): void {
    this.close()
    this.#open = kind
    this.#index = this.#reply.next++
    this.#partStart = this.#said.length
    const part = heads[kind]
    this.#reply.emit({ type: 'part', index: this.#index, choice: this.#choice, part })
  }

  /** Chunks may tell the same again. */
  #cite(): void {
    const told = new Set<string>()
    for (const candidate of this.#cited.splice(0)) {
      for (const citation of readCitations(candidate, this.#said, this.#partStart)) {
        const key = JSON.stringify(citation)
        if (!told.has(key)) this.#reply.emit({ type: 'citation', index: this.#index, citation })
        told.add(key)
      }
    }
  }
}
