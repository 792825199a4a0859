import { GatewayError } from '../../../../src/contract/errors.ts'
import type { ServeStored } from '../../../../src/contract/operation.ts'
import type { Reply } from '../../../../src/contract/outcome.ts'
import { isPresent, wrong } from '../../../../src/kit/checks.ts'
import type { JsonObject } from '../../../../src/lib/json/object.ts'
import { objectsIn } from '../../../../src/lib/json/read.ts'
import { TextSet } from '../../../../src/lib/text-map.ts'

const headers = { 'content-type': 'application/json' }

/** Returns a 200 reply with a JSON body. */
export function jsonReply(body: JsonObject): Reply {
  return { status: 200, headers, body: JSON.stringify(body) }
}

/** Returns a handler that throws `lookup_unavailable` for a failed write to the store. Other errors stay as they are. */
export function storeUnavailable(kind: string): (cause: unknown) => never {
  return (cause) => {
    if (cause instanceof GatewayError) throw cause
    throw new GatewayError('lookup_unavailable', `The ${kind} cannot be changed at the moment.`, {
      headers: { 'retry-after-ms': '250' },
      cause,
    })
  }
}

const defaultLimit = 20

const maxLimit = 100

/** Returns the page of a list that the query selects, newest first by default. */
export function pageOf(items: readonly JsonObject[], query: string): JsonObject {
  const parameters = new URLSearchParams(query)
  const ordered = readOrder(parameters) === 'asc' ? items : items.toReversed()
  const limit = readLimit(parameters)
  const after = parameters.get('after')
  const from = after === null ? 0 : indexOfItem(ordered, after) + 1
  const data = ordered.slice(from, from + limit).map(listedItem)
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: from + limit < ordered.length,
  }
}

const withStatus = new TextSet<unknown>([
  'message',
  'function_call',
  'function_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
])

/** A stored item as OpenAI lists it: with the members that typed clients require and requests may lack. */
export function listedItem(item: JsonObject): JsonObject {
  if (!withStatus.has(item.type)) return item
  const listed = { ...item, status: item.status ?? 'completed' }
  return item.type === 'message'
    ? { ...listed, content: objectsIn(item.content).map(listedPart) }
    : listed
}

function listedPart(part: JsonObject): JsonObject {
  const { type, detail, annotations, logprobs } = part
  if (type === 'input_image') return { ...part, detail: detail ?? 'auto' }
  if (type !== 'output_text') return part
  return { ...part, annotations: annotations ?? [], logprobs: logprobs ?? [] }
}

function readOrder(parameters: URLSearchParams): string {
  const order = parameters.get('order') ?? 'desc'
  if (order !== 'asc' && order !== 'desc') throw wrong('order', '`asc` or `desc`')
  return order
}

function readLimit(parameters: URLSearchParams): number {
  const limit = Number(parameters.get('limit') ?? defaultLimit)
  if (Number.isInteger(limit) && limit >= 1 && limit <= maxLimit) return limit
  throw wrong('limit', `an integer from 1 to ${maxLimit}`)
}

/** Returns the index of an item. Throws `not_found` if the list has no such item. */
export function indexOfItem(items: readonly JsonObject[], id: string): number {
  const index = items.findIndex((item) => item.id === id)
  if (index < 0) throw new GatewayError('not_found', `Item with id '${id}' not found.`)
  return index
}

/** Returns a handler that rejects a call about a history that only the gateway stores. */
export function rejectStored(subject: string): ServeStored {
  return ({ body }) => {
    const isChained = isPresent(body.json, 'previous_response_id')
    const param = isChained ? 'previous_response_id' : conversationOrInput(body.json)
    throw new GatewayError(
      'invalid_value',
      `\`${param}\`: the gateway stores it, and ${subject} only input that the request contains in full.`,
      { param },
    )
  }
}

function conversationOrInput(json: JsonObject): string {
  return isPresent(json, 'conversation') ? 'conversation' : 'input'
}
