import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import { type IdentifiedCall, identifyCalls } from '../../../../../src/generate/call-ids.ts'
import type { AssistantPart } from '../../../../../src/generate/content.ts'
import { encodeMedia } from './encode-media.ts'
import type { ModelFacts } from './models.ts'
import { skipValidator, ownSignature } from '../signatures.ts'
import { toolArgumentsOf } from '../tool-arguments.ts'
import type { DeclaredToolNames } from '../tool-names.ts'

/** A call of an earlier answer, with its id and name for the account. */
interface NamedCall extends IdentifiedCall {
  readonly name: string
}

/** Assigns the calls of an answer their ids and names for the account. */
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

/** Encodes an earlier answer of the model as parts. */
export function encodeAnswer(
  content: readonly AssistantPart[],
  calls: readonly NamedCall[],
  model: ModelFacts,
): JsonObject[] {
  const named = new Map<AssistantPart, NamedCall>(calls.map((call) => [call.call, call]))
  const first = calls[0]?.call
  return content.flatMap((part) => {
    const call = named.get(part)
    return call
      ? [callPart(call, call.call === first && model.isThirdGeneration)]
      : encodePart(part)
  })
}

/** Encodes a call. New models refuse an unsigned first call, unless it has the skip value. */
function callPart({ call, id, name }: NamedCall, mustBeSigned: boolean): JsonObject {
  const thoughtSignature =
    ownSignature(call.signature) ?? (mustBeSigned ? skipValidator : undefined)
  return {
    functionCall: { id, name, args: toolArgumentsOf(call.kind, call.arguments) },
    ...(thoughtSignature !== undefined && { thoughtSignature }),
  }
}

/** Encodes another part. Reasoning returns only to accounts of the dialect that signed it. */
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
