import type { ReplyContext } from '../../../../../src/contract/codec.ts'
import type { Citation, Signature, TokenLogprob } from '../../../../../src/generate/content.ts'
import type { PartHead } from '../../../../../src/generate/events.ts'
import { generateId, skipSignature, writePartSignature } from '../signatures.ts'
import { writeLogprobs } from '../logprobs.ts'
import { type PendingSignature, callPart, mediaPart, textPart, thoughtPart } from './reply-parts.ts'

/** The candidate that an open part writes to. */
export interface CandidateWriter {
  readonly pendingSignature: PendingSignature
  /** Writes a complete part, as JSON, with further members of the candidate. */
  write(owner: OpenPart, part: string, members?: string): void
  /** Writes a part that has only a text. */
  writeText(owner: OpenPart, text: string): void
  /** Writes a signature as a thought of its own. */
  writeThought(owner: OpenPart, signature: string): void
  /** Writes the pending signature, if there is one, before a part that does not take it. */
  flush(owner: OpenPart): void
  /** Records text of the candidate, in which the positions of citations count. */
  recordText(text: string): void
  /** Records a citation of a part. */
  cite(citation: Citation, part: OpenPart): void
  /** Releases the parts that waited for the end of this one. */
  end(): void
}

/** An open part of a streamed reply. */
export class OpenPart {
  readonly head: PartHead
  /** Chunks that wait until the earlier parts have ended. */
  readonly buffered: string[] = []
  /** The offset of its text in the candidate's text, in UTF-16 code units. */
  start = 0
  isEnded = false
  /** Whether it is the first call of its answer, for which new models require a signature. */
  isFirstCall = false
  /** The signature of the reasoning before a call. */
  reasoningSignature: string | undefined
  readonly #choice: CandidateWriter
  readonly #context: ReplyContext
  readonly #isHidden: boolean
  /** The arguments of a call, which are written when they are complete. */
  #arguments = ''
  #hasText = false
  #signature: Signature | undefined

  constructor(head: PartHead, choice: CandidateWriter, context: ReplyContext) {
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
    choice.recordText(text)
    const members = logprobs ? `,"logprobsResult":${JSON.stringify(writeLogprobs(logprobs))}` : ''
    if (!choice.pendingSignature.isEmpty)
      choice.write(this, JSON.stringify(textPart(text, choice.pendingSignature.take())), members)
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
    const { reasoningSignature } = this
    if (own !== undefined && reasoningSignature !== undefined)
      choice.writeThought(this, reasoningSignature)
    const call = { ...head, arguments: this.#arguments }
    const signature = own ?? reasoningSignature ?? (this.isFirstCall ? skipSignature : undefined)
    const part = callPart(call, signature, this.#context)
    choice.write(this, JSON.stringify(part))
  }

  #signReasoning(form: 'raw' | 'summary' | 'redacted'): void {
    const signature = this.#signature
    if (!signature) return
    this.#choice.flush(this)
    if (!this.#hasText && signature.dialect !== generateId) {
      return this.#choice.pendingSignature.put(signature, form)
    }
    const part = thoughtPart('', writePartSignature(signature, form))
    this.#choice.write(this, JSON.stringify(part))
  }
}
