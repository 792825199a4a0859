import type { ReplyContext } from '../../../../../src/contract/codec.ts'
import type { Citation, Signature, TokenLogprob } from '../../../../../src/generate/content.ts'
import type { PartHead } from '../../../../../src/generate/events.ts'
import { generateId, skipSignature, writePartSignature } from '../signatures.ts'
import { writeLogprobs } from '../logprobs.ts'
import { callPart, mediaPart, textPart, thoughtPart } from './reply-parts.ts'
import type { ChoiceWriter } from './write-choice.ts'

/** A part of a streamed reply that is being written. */
export class OpenPart {
  readonly head: PartHead
  /** What waits for earlier parts to end. */
  readonly held: string[] = []
  /** Where its text begins in what its candidate says. */
  start = 0
  isEnded = false
  /** Of its answer: the one that new models want signed. */
  isFirstCall = false
  /** Of a call: the signature of what was thought before it began. */
  thought: string | undefined
  readonly #choice: ChoiceWriter
  readonly #context: ReplyContext
  readonly #isHidden: boolean
  /** Of a call, whose arguments are written when they are whole. */
  #arguments = ''
  #hasText = false
  #signature: Signature | undefined

  constructor(head: PartHead, choice: ChoiceWriter, context: ReplyContext) {
    this.head = head
    this.#choice = choice
    this.#context = context
    this.#isHidden = head.type === 'reasoning' && context.request.reasoning?.show === false
  }

  append(text: string, logprobs: readonly TokenLogprob[] | undefined): void {
    switch (this.head.type) {
      case 'text':
      case 'refusal':
        return this.#appendText(text, logprobs)
      case 'reasoning':
        if (this.#isHidden) return
        this.#hasText = true
        this.#choice.flush(this)
        return this.#choice.write(this, `{"text":${JSON.stringify(text)},"thought":true}`)
      case 'tool_call':
        this.#arguments += text
    }
  }

  #appendText(text: string, logprobs: readonly TokenLogprob[] | undefined): void {
    const choice = this.#choice
    choice.said(text)
    const members = logprobs ? `,"logprobsResult":${JSON.stringify(writeLogprobs(logprobs))}` : ''
    if (!choice.waiting.isEmpty)
      choice.write(this, JSON.stringify(textPart(text, choice.waiting.take())), members)
    else if (logprobs) choice.write(this, `{"text":${JSON.stringify(text)}}`, members)
    else choice.writeText(this, text)
  }

  sign(signature: Signature): void {
    this.#signature = signature
  }

  cite(citation: Citation): void {
    this.#choice.cite(citation, this)
  }

  end(): void {
    const { head } = this
    if (head.type === 'tool_call') this.#writeCall(head)
    else if (head.type === 'reasoning') this.#signReasoning(head.form)
    else if (head.type === 'image' || head.type === 'audio') {
      this.#choice.flush(this)
      this.#choice.write(this, JSON.stringify(mediaPart(head.mediaType, head.base64)))
    } else if (this.#signature) {
      this.#choice.flush(this)
      this.#choice.write(this, JSON.stringify(textPart('', writePartSignature(this.#signature))))
    }
    this.isEnded = true
    this.#choice.end()
  }

  #writeCall(head: Extract<PartHead, { type: 'tool_call' }>): void {
    const choice = this.#choice
    const own = this.#signature && writePartSignature(this.#signature)
    if (own !== undefined && this.thought !== undefined) choice.writeThought(this, this.thought)
    const call = { ...head, arguments: this.#arguments }
    const signature = own ?? this.thought ?? (this.isFirstCall ? skipSignature : undefined)
    const part = callPart(call, signature, this.#context)
    choice.write(this, JSON.stringify(part))
  }

  #signReasoning(form: 'raw' | 'summary' | 'redacted'): void {
    const signature = this.#signature
    if (!signature) return
    this.#choice.flush(this)
    if (!this.#hasText && signature.dialect !== generateId) {
      return this.#choice.waiting.put(signature, form)
    }
    const part = thoughtPart('', writePartSignature(signature, form))
    this.#choice.write(this, JSON.stringify(part))
  }
}
