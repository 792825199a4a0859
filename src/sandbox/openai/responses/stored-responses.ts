import { nowInSeconds } from '../../ids.ts'
import { numberOf, objectOf, textOf } from '../../json.ts'
import { badRequest } from '../../problem.ts'
import type { Call, Endpoint, Reply } from '../../provider.ts'
import { integer } from '../../shape.ts'
import type { BackgroundWork, StoredResponse } from '../../stored.ts'
import { pageOf } from '../paging.ts'
import { openai } from '../provider.ts'
import { currentResponse, findResponse } from './store.ts'
import {
  cancelWork,
  eventsSoFar,
  completeWork,
  isUnfinished,
  startWork,
} from './background-work.ts'

/** `/v1/responses/{id}` and below, for the account that created the response. */
export const storedResponses: Endpoint[] = [
  { ...onResponse('GET', /^\/v1\/responses\/(?<id>[^/]+)$/), answer: retrieve },
  { ...onResponse('DELETE', /^\/v1\/responses\/(?<id>[^/]+)$/), answer: remove },
  { ...onResponse('POST', /^\/v1\/responses\/(?<id>[^/]+)\/cancel$/), answer: cancel },
  { ...onResponse('GET', /^\/v1\/responses\/(?<id>[^/]+)\/input_items$/), answer: listInputItems },
]

function onResponse(method: Endpoint['method'], path: RegExp) {
  return { provider: openai, method, path, hasBody: false }
}

// The first status request starts the work in the background.
function retrieve(call: Call): Reply {
  const stored = find(call)
  if (call.query.get('stream') === 'true') return replayStream(stored, call.query)
  if (stored.work) startWork(stored.work)
  return { json: currentResponse(stored) }
}

const sequenceNumber = integer({ min: 0 })

function replayStream(stored: StoredResponse, query: URLSearchParams): Reply {
  const work = streamable(stored)
  const startingAfter = query.get('starting_after')
  if (startingAfter !== null) sequenceNumber(Number(startingAfter), ['starting_after'])
  const after = startingAfter === null ? -1 : Number(startingAfter)

  completeWork(work)
  const frames = eventsSoFar(work).filter(
    ({ data }) => Number(objectOf(data)['sequence_number']) > after,
  )
  return { json: currentResponse(stored), stream: { frames, failure: [], framing: 'sse' } }
}

const maxSecondsToStream = 5 * 60

function streamable({ response, work }: StoredResponse): BackgroundWork {
  if (!work)
    throw badRequest(
      'This response cannot be streamed because it was not created with background=true.',
      'stream',
      'invalid_request_error',
    )
  const age = nowInSeconds() - (numberOf(response['created_at']) ?? 0)
  if (age > maxSecondsToStream)
    throw badRequest(
      'This response can no longer be streamed because it is more than 5 minutes old.',
      'stream',
      'invalid_request_error',
    )
  return work
}

function remove(call: Call): Reply {
  const { response, work } = find(call)
  if (work && isUnfinished(work)) throw badRequest('Cannot delete an in-flight response.')
  const { id } = response
  call.account.responses.delete(textOf(id))
  return { json: { id, object: 'response', deleted: true } }
}

function cancel(call: Call): Reply {
  const stored = find(call)
  if (!stored.work) throw badRequest('Cannot cancel a synchronous response.')
  if (isUnfinished(stored.work)) cancelWork(stored.work)
  const json = currentResponse(stored)
  const status = textOf(json['status'])
  if (status === 'cancelled') return { json }
  throw badRequest(`Cannot cancel ${status === 'incomplete' ? 'an' : 'a'} ${status} response.`)
}

function listInputItems(call: Call): Reply {
  return { json: pageOf(find(call).inputItems, call.query) }
}

function find({ account, params }: Call): StoredResponse {
  return findResponse(account, params['id'] ?? '')
}
