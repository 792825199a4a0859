import { wrong } from '../../../../src/kit/checks.ts'
import type { JsonObject } from '../../../../src/lib/json/object.ts'
import { GatewayError } from '../../../../src/contract/errors.ts'
import type { ServeStored } from '../../../../src/contract/operation.ts'
import type { StoredResource } from '../../../../src/contract/stored.ts'
import { numberAt, objectsIn, objectAt, stringAt } from '../../../../src/lib/json/read.ts'
import { cursorUnknown, jsonReply, pageOf } from './replies.ts'
import { replay } from './replay.ts'

export const retrieveKept: ServeStored = ({ call, request }, kept) => {
  const response = responseOf(kept)
  if (!call.stream) return jsonReply(response)
  return {
    status: 200,
    headers: streamHeaders,
    body: replay(response, readStartingAfter(request.query), numberAt(kept.value, 'events')),
  }
}

export const removeKept: ServeStored = async (_exchange, kept) => {
  const { id } = responseOf(kept)
  await kept.delete().catch(cursorUnknown('response'))
  return jsonReply({ id, object: 'response', deleted: true })
}

/** Nothing is made in the background for an account that cannot. */
export const cancelKept: ServeStored = (_exchange, kept) => {
  throw new GatewayError(
    'invalid_request',
    `'${stringAt(responseOf(kept), 'id')}' cannot be cancelled: it was not created with \`background: true\`.`,
  )
}

export const inputItemsKept: ServeStored = ({ request }, kept) =>
  jsonReply(pageOf(objectsIn(kept.value.input), request.query))

/** Proxies on the way must not change it either. */
const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
}

function responseOf({ value }: StoredResource): JsonObject {
  return objectAt(value, 'response') ?? {}
}

/** The number of the last event that the client has. */
function readStartingAfter(query: string): number {
  const asked = new URLSearchParams(query).get('starting_after')
  if (asked === null) return -1
  if (/^\d{1,15}$/.test(asked)) return Number(asked)
  throw wrong('starting_after', 'the sequence number of an event')
}
