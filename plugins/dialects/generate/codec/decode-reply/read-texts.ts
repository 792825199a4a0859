import type { Citation, TokenLogprob } from '../../../../../src/generate/content.ts'
import type { GenerateEvent } from '../../../../../src/generate/events.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import { objectAt, stringAt } from '../../../../../src/lib/json/read.ts'
import { isCited, readCitations } from '../citations.ts'
import { readLogprobs } from '../logprobs.ts'
import { readPartSignature } from '../signatures.ts'
import { TextPositions } from '../text-positions.ts'
import type { DeclaredToolNames } from '../tool-names.ts'
import { GatewayError } from '../../../../../src/contract/errors.ts'
import { keyOf } from '../../../../../src/lib/text-map.ts'

/** The state that the candidates of a reply share. */
export interface ReplyState {
  readonly emit: (event: GenerateEvent) => void
  /** The index of the next part. */
  next: number
  /** Derives the ids of calls without one. */
  origin: string
  /** The number of turns in the request, which distinguishes replies without an id. */
  readonly turns: number
  readonly names: DeclaredToolNames
}

const heads = {
  text: { type: 'text' },
  reasoning: { type: 'reasoning', form: 'summary' },
} as const

/** Reads the texts and thoughts of one candidate. Adjacent ones of the same kind become one part. */
export class TextsReader {
  readonly #choice: number
  readonly #reply: ReplyState
  /** Chunks with sources, whose citations follow at the end of the text. */
  readonly #cited: JsonObject[] = []
  #open: keyof typeof heads | undefined
  #index = -1
  /** The whole text without thoughts, in which the positions of sources count. */
  #text = ''
  #partStart = 0
  #logprobs: TokenLogprob[] | undefined

  constructor(choice: number, reply: ReplyState) {
    this.#choice = choice
    this.#reply = reply
  }

  /** Whether the candidate has text besides thoughts. */
  get hasText(): boolean {
    return this.#text !== ''
  }

  /** Whether the candidate has text or thoughts. */
  get hasBegun(): boolean {
    return this.#index >= 0
  }

  /** Stores the sources and log probabilities of a chunk. */
  noteMetadata(candidate: JsonObject): void {
    if (isCited(candidate)) this.#cited.push(candidate)
    const logprobs = objectAt(candidate, 'logprobsResult')
    if (logprobs) this.#logprobs = readLogprobs(logprobs)
  }

  /** Reads a part with text. */
  read(part: JsonObject, text: string): void {
    const kind = part.thought === true ? 'reasoning' : 'text'
    if (text !== '') this.#append(kind, text)
    if (part.thoughtSignature !== undefined) this.#sign(kind, part)
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
    this.#text += text
    const logprobs = this.#logprobs
    this.#logprobs = undefined
    this.#reply.emit(
      logprobs ? { type: 'delta', index, text, logprobs } : { type: 'delta', index, text },
    )
  }

  /** Emits a signature, which ends its part. It may arrive in a later part without text. */
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
    this.#partStart = this.#text.length
    const part = heads[kind]
    this.#reply.emit({ type: 'part', index: this.#index, choice: this.#choice, part })
  }

  /** Emits the citations of the open text. Chunks may repeat sources. */
  #cite(): void {
    if (this.#cited.length === 0) return
    const emitted = new DistinctCitations()
    const positions = new TextPositions(this.#text)
    for (const candidate of this.#cited.splice(0)) {
      for (const citation of readCitations(candidate, positions, this.#partStart)) {
        if (!emitted.add(citation)) continue
        this.#reply.emit({ type: 'citation', index: this.#index, citation })
      }
    }
  }
}

/** The most characters of addresses and titles that citations may repeat: far more than any search has. */
const mostRepeated = 16 * 1024 * 1024

/**
 * The distinct ones among citations. A page may have a long address, and support tens of thousands of
 * segments: each address is looked at as a whole only once.
 */
class DistinctCitations {
  readonly #ids = new Map<string, number>()
  readonly #known = new Set<string>()
  #repeated = 0

  /** Returns whether a citation is new. Throws `upstream_reply_too_large` where new ones repeat too long texts. */
  add({ url, title, start, end }: Citation): boolean {
    const before = this.#ids.size
    const key = `${this.#idOf(url)} ${title === undefined ? '' : this.#idOf(title)} ${start} ${end}`
    if (this.#known.has(key)) return false
    this.#known.add(key)
    if (this.#ids.size === before) this.#repeat(url.length + (title?.length ?? 0))
    return true
  }

  #idOf(text: string): number {
    const key = keyOf(text)
    const id = this.#ids.get(key) ?? this.#ids.size
    this.#ids.set(key, id)
    return id
  }

  #repeat(length: number): void {
    this.#repeated += length
    if (this.#repeated > mostRepeated) {
      throw new GatewayError('upstream_reply_too_large', "The upstream's reply is too large.")
    }
  }
}
