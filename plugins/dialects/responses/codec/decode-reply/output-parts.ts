import { checkArguments } from '../../../../../src/kit/codec/read.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import { GatewayError } from '../../../../../src/contract/errors.ts'
import type { AssistantPart, TextPart } from '../../../../../src/generate/content.ts'
import { objectsIn, stringAt } from '../../../../../src/lib/json/read.ts'
import { readCitations } from '../citations.ts'
import { imageOf } from '../images.ts'
import { readLogprobs } from '../logprobs.ts'
import { reasoningFormOf, reasoningParts } from '../reasoning.ts'
import type { ReplyNames } from './reply-names.ts'

/** Returns the parts of the output item at index `index`. Items of hosted tools have no parts. */
export function partsOfItem(item: JsonObject, index: number, names: ReplyNames): AssistantPart[] {
  switch (item.type) {
    case 'message':
      return objectsIn(item.content).flatMap((part) => messagePart(part) ?? [])
    case 'reasoning':
      return reasoningParts(item)
    case 'function_call':
    case 'custom_tool_call':
      return [{ ...callOf(item, index, names), arguments: argumentsOf(item) }]
    case 'image_generation_call': {
      const image = imageOf(item)
      return image ? [image] : []
    }
    default:
      return []
  }
}

/**
 * Returns the head of a tool call part. Throws `upstream_invalid_reply` for a call without a name.
 */
export function callOf(item: JsonObject, index: number, names: ReplyNames) {
  const name = stringAt(item, 'name')
  if (!name) {
    const message = 'The upstream sent a function call without a name.'
    throw new GatewayError('upstream_invalid_reply', message)
  }
  return {
    type: 'tool_call',
    id: names.callIdOf(item, index),
    name: names.clientNameOf(name),
    kind: item.type === 'custom_tool_call' ? 'custom' : 'function',
  } as const
}

/** Returns the arguments of a call as a string. Some servers send an object. */
export function argumentsOf(item: JsonObject): string {
  const input = item.type === 'custom_tool_call' ? item.input : item.arguments
  checkArguments(input)
  if (typeof input === 'object' && input !== null) return JSON.stringify(input)
  return typeof input === 'string' ? input : ''
}

function messagePart(part: JsonObject): AssistantPart | undefined {
  const form = reasoningFormOf(part)
  if (part.type === 'refusal') {
    const refusal = stringAt(part, 'refusal')
    return refusal ? { type: 'refusal', text: refusal } : undefined
  }
  const text = stringAt(part, 'text')
  if (form) return text ? { type: 'reasoning', form, text } : undefined
  return text ? withDetails({ type: 'text', text }, part) : undefined
}

function withDetails(textPart: TextPart, part: JsonObject): TextPart {
  const citations = readCitations(part.annotations)
  const logprobs = readLogprobs(part.logprobs)
  return {
    ...textPart,
    ...(citations.length > 0 && { citations }),
    ...(logprobs.length > 0 && { logprobs }),
  }
}
