import { GatewayError } from '../../../src/contract/errors.ts'
import type { Routed } from '../../../src/contract/exchange.ts'
import type { Outcome } from '../../../src/contract/outcome.ts'
import { errorIn, failedOutcome, statusOfError } from '../../../src/kit/upstream-error.ts'
import { type JsonObject, isObject } from '../../../src/lib/json/object.ts'
import { base64OfNumbers, numbersOf } from '../../../src/media/embedding.ts'
import { notWhole } from '../shared/embedding-inputs.ts'
import { assertWritable, inOrder, usageOf } from './codec.ts'
import type { EmbeddingCall } from './request.ts'

/** Whether a reply is one of this API. */
export function isEmbeddings(body: JsonObject): boolean {
  return Array.isArray(body.data)
}

/** The outcome of a complete reply. */
export function embeddingsOutcome(json: unknown): Outcome {
  const error = errorIn(json)
  if (error) return failedOutcome(statusOfError(error), error)
  return { status: 'completed', fault: 'none', usage: usageOf(json) }
}

/**
 * The reply in the encoding that the client has asked for, and in the order of its inputs: SDKs ask for base64, which many
 * servers do not know, and hand base64 that they have not asked for to their callers. `undefined`: it is so already. Throws
 * `GatewayError` unless there is one embedding for each input.
 */
export function correctedEmbeddings(
  json: JsonObject,
  { body, call }: Routed & { readonly call: EmbeddingCall },
): JsonObject | undefined {
  const { data } = json
  const isWhole = Array.isArray(data) && data.every(isEmbedding)
  if (!isWhole || data.length !== call.inputs) throw notWhole(call.inputs)
  const items = inOrder(data)
  const wanted = body.json.encoding_format === 'base64' ? 'string' : 'object'
  const isAsAsked = items.every(({ embedding }) => typeof embedding === wanted)
  if (items === data && isAsAsked) return undefined
  return { ...json, data: isAsAsked ? items : encodedAs(wanted, items) }
}

function isEmbedding(item: unknown): item is JsonObject {
  return isObject(item) && (Array.isArray(item.embedding) || typeof item.embedding === 'string')
}

function encodedAs(wanted: 'string' | 'object', items: readonly JsonObject[]): JsonObject[] {
  if (wanted === 'object') assertWritable(items)
  return items.map((item) => {
    if (typeof item.embedding === wanted) return item
    const numbers = numbersOf(item.embedding)
    if (!numbers) throw invalid()
    return { ...item, embedding: wanted === 'string' ? base64OfNumbers(numbers) : numbers }
  })
}

function invalid(): GatewayError {
  const message = "The upstream's reply has an embedding that is no list of numbers."
  return new GatewayError('upstream_invalid_reply', message)
}
