import { checkArguments } from '../../../../../src/kit/codec/read.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import { GatewayError } from '../../../../../src/contract/errors.ts'
import type { AssistantPart, TextPart } from '../../../../../src/generate/content.ts'
import { objectsIn, stringAt } from '../../../../../src/lib/json/read.ts'
import { readCitations } from '../citations.ts'
import { imageOf } from '../images.ts'
import { readLogprobs } from '../logprobs.ts'
import { reasoningParts } from '../reasoning.ts'
import type { ReplyNames } from './reply-names.ts'

/** What the output item at `place` says. Items of hosted tools say nothing that others understand. */
export function partsOfItem(item: JsonObject, place: number, names: ReplyNames): AssistantPart[] {
  switch (item.type) {
    case 'message':
      return objectsIn(item.content).flatMap((part) => messagePart(part) ?? [])
    case 'reasoning':
      return reasoningParts(item)
    case 'function_call':
    case 'custom_tool_call':
      return [{ ...callOf(item, place, names), arguments: argumentsOf(item) }]
    case 'image_generation_call': {
      const image = imageOf(item)
      return image ? [image] : []
    }
    default:
      return []
  }
}

/** Who is called, with which id. */
export function callOf(item: JsonObject, place: number, names: ReplyNames) {
  const name = stringAt(item, 'name')
  if (!name) throw new GatewayError('upstream_invalid_reply', 'The upstream calls a nameless tool.')
  return {
    type: 'tool_call',
    id: names.call(item, place),
    name: names.tool(name),
    kind: item.type === 'custom_tool_call' ? 'custom' : 'function',
  } as const
}

/** Some servers have the arguments as an object. */
export function argumentsOf(item: JsonObject): string {
  const said = item.type === 'custom_tool_call' ? item.input : item.arguments
  checkArguments(said)
  if (typeof said === 'object' && said !== null) return JSON.stringify(said)
  return typeof said === 'string' ? said : ''
}

function messagePart(part: JsonObject): AssistantPart | undefined {
  if (part.type === 'refusal') {
    const refusal = stringAt(part, 'refusal')
    return refusal ? { type: 'refusal', text: refusal } : undefined
  }
  const said = stringAt(part, 'text')
  return said ? withDetails({ type: 'text', text: said }, part) : undefined
}

function withDetails(told: TextPart, part: JsonObject): TextPart {
  const citations = readCitations(part.annotations)
  const logprobs = readLogprobs(part.logprobs)
  return {
    ...told,
    ...(citations.length > 0 && { citations }),
    ...(logprobs.length > 0 && { logprobs }),
  }
}
