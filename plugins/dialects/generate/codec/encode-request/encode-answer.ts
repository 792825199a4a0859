import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import { type IdentifiedCall, identifyCalls } from '../../../../../src/generate/call-ids.ts'
import type { AssistantPart } from '../../../../../src/generate/content.ts'
import { encodeMedia } from './encode-media.ts'
import type { ModelFacts } from './models.ts'
import { lostSignature, ownSignature } from '../signatures.ts'
import { argumentsOf } from '../tool-arguments.ts'
import type { DeclaredToolNames } from '../tool-names.ts'

/** A call of an earlier answer, and how it is called at the account. */
export interface NamedCall extends IdentifiedCall {
  readonly name: string
}

export function nameCalls(
  content: readonly AssistantPart[],
  names: DeclaredToolNames,
): NamedCall[] {
  return identifyCalls(content).map(({ call, id }) => ({
    call,
    id,
    name: names.toAccount(call.name),
  }))
}

/** An earlier answer of the model as parts. */
export function encodeAnswer(
  content: readonly AssistantPart[],
  calls: readonly NamedCall[],
  model: ModelFacts,
): JsonObject[] {
  const named = new Map<AssistantPart, NamedCall>(calls.map((call) => [call.call, call]))
  const first = calls[0]?.call
  return content.flatMap((part) => {
    const call = named.get(part)
    return call ? [callPart(call, call.call === first && model.isThird)] : encodePart(part)
  })
}

/** New models refuse calls of which the first is not signed, unless they are told to let it pass. */
function callPart({ call, id, name }: NamedCall, mustBeSigned: boolean): JsonObject {
  const thoughtSignature =
    ownSignature(call.signature) ?? (mustBeSigned ? lostSignature : undefined)
  return {
    functionCall: { id, name, args: argumentsOf(call.kind, call.arguments) },
    ...(thoughtSignature !== undefined && { thoughtSignature }),
  }
}

/** Reasoning goes back only where it was signed. */
function encodePart(part: AssistantPart): JsonObject[] {
  switch (part.type) {
    case 'text': {
      const thoughtSignature = ownSignature(part.signature)
      if (thoughtSignature !== undefined) return [{ text: part.text, thoughtSignature }]
      return part.text === '' ? [] : [{ text: part.text }]
    }
    case 'refusal':
      return part.text === '' ? [] : [{ text: part.text }]
    case 'reasoning': {
      const thoughtSignature = ownSignature(part.signature)
      if (thoughtSignature === undefined) return []
      return [{ text: part.text, thought: true, thoughtSignature }]
    }
    case 'image':
    case 'audio':
      return encodeMedia(part)
    case 'tool_call':
      return []
  }
}
