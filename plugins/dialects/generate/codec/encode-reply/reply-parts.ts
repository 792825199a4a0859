import type { ReplyContext } from '../../../../../src/contract/codec.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type { ReasoningPart, Signature } from '../../../../../src/generate/content.ts'
import { writePartSignature } from '../signatures.ts'
import { argumentsOf, parseArguments } from '../tool-arguments.ts'

type Form = ReasoningPart['form']

/** What a call is, once it is whole. */
export interface WholeCall {
  readonly id: string
  readonly name: string
  readonly kind: 'function' | 'custom'
  readonly arguments: string
}

/** A call as a part: always complete, and always with an object for arguments. */
export function callPart(
  { id, name, kind, arguments: text }: WholeCall,
  thoughtSignature: string | undefined,
  context: ReplyContext,
): JsonObject {
  if (kind === 'function' && !parseArguments(text)) {
    context.drop('functionCall.args', 'the model wrote arguments that are no JSON object')
  }
  return {
    functionCall: { id, name, args: argumentsOf(kind, text) },
    ...(thoughtSignature !== undefined && { thoughtSignature }),
  }
}

export function mediaPart(mimeType: string, data: string): JsonObject {
  return { inlineData: { mimeType, data } }
}

export function textPart(text: string, thoughtSignature: string | undefined): JsonObject {
  return thoughtSignature === undefined ? { text } : { text, thoughtSignature }
}

export function thoughtPart(text: string, thoughtSignature: string | undefined): JsonObject {
  return { ...textPart(text, thoughtSignature), thought: true }
}

/**
 * The signature of foreign reasoning that has no text. It waits for the part behind it: clients keep
 * what is signed, but many leave thoughts out when they send an answer back.
 */
export class WaitingSignature {
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
