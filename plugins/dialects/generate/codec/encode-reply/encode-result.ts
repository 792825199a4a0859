import type { EncodedResult, ReplyContext } from '../../../../../src/contract/codec.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import { callIdsIn } from '../../../../../src/generate/call-ids.ts'
import type { AssistantPart, ReasoningPart } from '../../../../../src/generate/content.ts'
import type { Choice, GenerateResult } from '../../../../../src/generate/result.ts'
import { type PlacedCitation, writeCitations } from '../citations.ts'
import { writeLogprobs } from '../logprobs.ts'
import { generateId, skipSignature, writePartSignature } from '../signatures.ts'
import { PendingSignature, callPart, mediaPart, textPart, thoughtPart } from './reply-parts.ts'
import { writeStop } from '../stop.ts'
import { writeUsage } from '../usage.ts'

/** Encodes a complete reply for a client. */
export function encodeResult(result: GenerateResult, context: ReplyContext): EncodedResult {
  const id = context.newId('')
  const usageMetadata = writeUsage(result.usage)
  const body = {
    candidates: result.choices.map((choice, index) => encodeChoice(choice, index, context)),
    ...(usageMetadata && { usageMetadata }),
    modelVersion: context.model,
    responseId: id,
  }
  return { body, id, items: callIdsIn(result, (callId) => callId) }
}

function encodeChoice({ content, stop }: Choice, index: number, context: ReplyContext): JsonObject {
  const writer = new PartsWriter(context)
  for (const part of content) writer.write(part)
  writer.flush()
  const hasRefusal = content.some(({ type }) => type === 'refusal')
  return {
    content: { parts: writer.parts.length > 0 ? writer.parts : [{ text: '' }], role: 'model' },
    finishReason: writeStop(stop, hasRefusal),
    index,
    ...metadataOf(content),
  }
}

class PartsWriter {
  readonly parts: JsonObject[] = []
  readonly #context: ReplyContext
  readonly #isHidden: boolean
  readonly #pendingSignature = new PendingSignature()
  #hasCalls = false

  constructor(context: ReplyContext) {
    this.#context = context
    this.#isHidden = context.request.reasoning?.show === false
  }

  write(part: AssistantPart): void {
    switch (part.type) {
      case 'text':
      case 'refusal': {
        const signature = 'signature' in part ? part.signature : undefined
        if (part.text === '' && !signature) return
        const own = this.#sign(signature && writePartSignature(signature))
        this.parts.push(textPart(part.text, own))
        return
      }
      case 'reasoning':
        return this.#writeReasoning(part)
      case 'tool_call': {
        const own = this.#sign(part.signature && writePartSignature(part.signature))
        this.parts.push(
          callPart(part, own ?? (this.#hasCalls ? undefined : skipSignature), this.#context),
        )
        this.#hasCalls = true
        return
      }
      case 'image':
      case 'audio':
        if (part.source.kind !== 'data') {
          this.#context.drop('inlineData', 'answers carry media only as bytes')
          return
        }
        this.flush()
        this.parts.push(mediaPart(part.mediaType ?? 'image/png', part.source.base64))
    }
  }

  /** Writes the pending signature as a part of its own. */
  flush(): void {
    if (!this.#pendingSignature.isEmpty)
      this.parts.push(thoughtPart('', this.#pendingSignature.take()))
  }

  #writeReasoning({ text, form, signature }: ReasoningPart): void {
    const shown = this.#isHidden ? '' : text
    if (shown === '' && !signature) return
    this.flush()
    if (shown === '' && signature && signature.dialect !== generateId) {
      return this.#pendingSignature.put(signature, form)
    }
    this.parts.push(thoughtPart(shown, signature && writePartSignature(signature, form)))
  }

  /** Returns the signature of a part: its own, or the pending one. */
  #sign(own: string | undefined): string | undefined {
    if (own === undefined) return this.#pendingSignature.take()
    this.flush()
    return own
  }
}

function metadataOf(content: readonly AssistantPart[]): JsonObject {
  const placed: PlacedCitation[] = []
  let text = ''
  for (const part of content) {
    if (part.type !== 'text' && part.type !== 'refusal') continue
    const citations = part.type === 'text' ? (part.citations ?? []) : []
    for (const citation of citations) placed.push({ citation, partStart: text.length })
    text += part.text
  }
  const logprobs = content.flatMap((part) => (part.type === 'text' ? (part.logprobs ?? []) : []))
  return {
    ...(placed.length > 0 && { citationMetadata: writeCitations(placed, text) }),
    ...(logprobs.length > 0 && { logprobsResult: writeLogprobs(logprobs) }),
  }
}
