import { wrong } from '../../../../src/kit/checks.ts'
import type { JsonObject } from '../../../../src/lib/json/object.ts'
import { GatewayError } from '../../../../src/contract/errors.ts'
import type { ServeStored } from '../../../../src/contract/operation.ts'
import type { StoredResource } from '../../../../src/contract/stored.ts'
import { numberAt, objectsIn, objectAt, stringAt } from '../../../../src/lib/json/read.ts'
import { storeUnavailable, jsonReply, pageOf } from './replies.ts'
import { replay } from './replay.ts'

/** Serves a stored response, as JSON or as replayed events. */
export const retrieveStoredResponse: ServeStored = ({ call, request }, stored) => {
  const response = responseOf(stored)
  if (!call.stream) return jsonReply(response)
  return {
    status: 200,
    headers: streamHeaders,
    body: replay(response, readStartingAfter(request.query), numberAt(stored.value, 'events')),
  }
}

/** Deletes a stored response. Throws `lookup_unavailable` if the store is unavailable. */
export const deleteStoredResponse: ServeStored = async (_exchange, stored) => {
  const { id } = responseOf(stored)
  await stored.delete().catch(storeUnavailable('response'))
  return jsonReply({ id, object: 'response', deleted: true })
}

/** Always throws: the gateway never stores a response that runs in the background. */
export const cancelStoredResponse: ServeStored = (_exchange, stored) => {
  throw new GatewayError(
    'invalid_request',
    `'${stringAt(responseOf(stored), 'id')}' cannot be cancelled: it was not created with \`background: true\`.`,
  )
}

/** Lists the input items of a stored response. */
export const listStoredInputItems: ServeStored = ({ request }, stored) =>
  jsonReply(pageOf(objectsIn(stored.value.input), request.query))

/** `no-transform` forbids proxies to change the stream. */
const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
}

function responseOf({ value }: StoredResource): JsonObject {
  return objectAt(value, 'response') ?? {}
}

/** Returns the sequence number of the last event that the client has; -1 if the query does not say it. */
function readStartingAfter(query: string): number {
  const after = new URLSearchParams(query).get('starting_after')
  if (after === null) return -1
  if (/^\d{1,15}$/.test(after)) return Number(after)
  throw wrong('starting_after', 'the sequence number of an event')
}
