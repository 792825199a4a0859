import type { JsonObject } from '../../../src/lib/json/object.ts'
import {
  insist,
  isObject,
  listAt,
  objectAt,
  parsedInput,
  type ReadCall,
  type ReadUsage,
  type Reading,
  stringAt,
  tokensAt,
} from './reading.ts'

/** A whole response, as the SDKs' types demand it. */
export function readResponse(response: JsonObject): Reading {
  insist(response.object === 'response', 'the object is no response')
  const items = listAt(response, 'output')
  const text = items
    .filter(({ type }) => type === 'message')
    .map(readMessage)
    .join('')
  const { status, error } = response
  insist(['completed', 'incomplete', 'failed'].includes(status as string), 'the status is another')
  return {
    text,
    thoughts: items
      .filter(({ type }) => type === 'reasoning')
      .map(readReasoning)
      .join(''),
    calls: items.flatMap(readCall),
    stop: stopOf(response),
    usage: usageOf(response.usage),
    ending: status === 'failed' ? 'failed' : 'complete',
    ...(isObject(error) && { failure: stringAt(error, 'message') }),
  }
}

function readMessage(item: JsonObject): string {
  const said = listAt(item, 'content').map((part) => {
    insist(part.type === 'output_text' || part.type === 'refusal', 'a part has another type')
    return part.type === 'refusal' ? stringAt(part, 'refusal') : stringAt(part, 'text')
  })
  return said.join('')
}

function readReasoning(item: JsonObject): string {
  const content = item.content ? listAt(item, 'content') : []
  return [...listAt(item, 'summary'), ...content].map((part) => stringAt(part, 'text')).join('')
}

function readCall(item: JsonObject): ReadCall[] {
  if (item.type !== 'function_call' && item.type !== 'custom_tool_call') return []
  const id = stringAt(item, 'call_id')
  const name = stringAt(item, 'name')
  insist(id !== '' && name !== '', 'a call has no id or no name')
  const field = item.type === 'function_call' ? 'arguments' : 'input'
  return [{ id, name, input: parsedInput(stringAt(item, field)) }]
}

/** Its status, and the reason where it is incomplete. */
function stopOf(response: JsonObject): string {
  if (response.status !== 'incomplete') return response.status as string
  return stringAt(objectAt(response, 'incomplete_details'), 'reason')
}

function usageOf(usage: unknown): ReadUsage {
  if (!isObject(usage)) return {}
  return {
    input: tokensAt(usage, 'input_tokens'),
    output: tokensAt(usage, 'output_tokens'),
    cached: tokensAt(objectAt(usage, 'input_tokens_details'), 'cached_tokens'),
    reasoning: tokensAt(objectAt(usage, 'output_tokens_details'), 'reasoning_tokens'),
  }
}
