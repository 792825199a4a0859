import type { ReplyContext } from '../../../../../src/contract/codec.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type { ReasoningPart, Signature } from '../../../../../src/generate/content.ts'
import { writePartSignature } from '../signatures.ts'
import { toolArgumentsOf, parseArguments } from '../tool-arguments.ts'

type Form = ReasoningPart['form']

/** A complete call. */
interface CompleteCall {
  readonly id: string
  readonly name: string
  readonly kind: 'function' | 'custom'
  readonly arguments: string
}

/** Returns the part of a call. Its arguments are always an object; invalid arguments are a loss. */
export function callPart(
  { id, name, kind, arguments: text }: CompleteCall,
  thoughtSignature: string | undefined,
  context: ReplyContext,
): JsonObject {
  if (kind === 'function' && !parseArguments(text)) {
    context.drop('functionCall.args', 'the arguments that the model wrote are not a JSON object')
  }
  return {
    functionCall: { id, name, args: toolArgumentsOf(kind, text) },
    ...(thoughtSignature !== undefined && { thoughtSignature }),
  }
}

/** Returns the part of an image or audio. */
export function mediaPart(mimeType: string, data: string): JsonObject {
  return { inlineData: { mimeType, data } }
}

/** Returns the part of a text. */
export function textPart(text: string, thoughtSignature: string | undefined): JsonObject {
  return thoughtSignature === undefined ? { text } : { text, thoughtSignature }
}

/** Returns the part of a thought. */
export function thoughtPart(text: string, thoughtSignature: string | undefined): JsonObject {
  return { ...textPart(text, thoughtSignature), thought: true }
}

/**
 * The signature of another dialect's reasoning without text, pending for the next part. Many clients omit
 * thoughts when they send an answer back, but they keep the signatures of other parts.
 */
export class PendingSignature {
  #text: string | undefined

  get isEmpty(): boolean {
    return this.#text === undefined
  }

  put(signature: Signature, form: Form): void {
    this.#text = writePartSignature(signature, form)
  }

  take(): string | undefined {
    const text = this.#text
    this.#text = undefined
    return text
  }
}
