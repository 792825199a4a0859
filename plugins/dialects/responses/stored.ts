import { wrong } from '../../../src/kit/checks.ts'
import { jsonOrEvents } from '../../../src/contract/dialect-info.ts'
import type { NativeForward } from '../../../src/contract/operation.ts'
import type { ClientRequest } from '../../../src/contract/request.ts'
import { byId } from './by-id.ts'
import {
  cancelStoredResponse,
  listStoredInputItems,
  deleteStoredResponse,
  retrieveStoredResponse,
} from './transcripts/responses.ts'
import { deletedOutcome, listOutcome, storedOutcome } from './outcome.ts'
import { responsesSchemas } from './schema.ts'

const kind = 'response'
const schema = { reply: responsesSchemas.reply }
const outcome: NativeForward['outcome'] = (json) => storedOutcome(json)

const retrieve = byId({
  kind,
  id: 'responses.retrieve',
  method: 'GET',
  path: '/v1/responses/{id}',
  body: 'none',
  summary: 'Look up a stored response; with `stream=true` its events, from `starting_after` on',
  schema,
  replies: jsonOrEvents,
  understand: ({ request }) => ({ stream: readStream(request) }),
  outcome,
  serveStored: retrieveStoredResponse,
})

const remove = byId({
  kind,
  id: 'responses.delete',
  method: 'DELETE',
  path: '/v1/responses/{id}',
  body: 'none',
  summary: 'Delete a stored response',
  // The binding must be removed even if the client disconnects first.
  understand: () => ({ finishWithoutClient: true }),
  outcome: (json, { params }) => deletedOutcome(json, { kind, id: params.id ?? '' }),
  serveStored: deleteStoredResponse,
})

const cancel = byId({
  kind,
  id: 'responses.cancel',
  method: 'POST',
  path: '/v1/responses/{id}/cancel',
  body: 'none',
  summary: 'Cancel a background response',
  schema,
  outcome,
  serveStored: cancelStoredResponse,
})

const inputItems = byId({
  kind,
  id: 'responses.input_items',
  method: 'GET',
  path: '/v1/responses/{id}/input_items',
  body: 'none',
  summary: 'List the input items of a stored response',
  outcome: listOutcome,
  serveStored: listStoredInputItems,
})

/** The operations on stored responses. */
export const storedResponses = [retrieve, remove, cancel, inputItems]

/**
 * Reads the query parameter `stream`. Other values than `true` and `false` are refused, because the
 * account might read them differently.
 */
function readStream({ query }: ClientRequest): boolean {
  const values = new URLSearchParams(query).getAll('stream')
  if (values.length > 1 || !['true', 'false', undefined].includes(values[0])) {
    throw wrong('stream', '`true` or `false`')
  }
  return values[0] === 'true'
}
