import { wrong } from '../../../src/kit/checks.ts'
import { jsonOrEvents } from '../../../src/contract/dialect-info.ts'
import type { NativeForward } from '../../../src/contract/operation.ts'
import type { ClientRequest } from '../../../src/contract/request.ts'
import { byId } from './by-id.ts'
import { cancelKept, inputItemsKept, removeKept, retrieveKept } from './transcripts/stored.ts'
import { deletedOutcome, plainOutcome, storedOutcome } from './outcome.ts'
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
  serveStored: retrieveKept,
})

const remove = byId({
  kind,
  id: 'responses.delete',
  method: 'DELETE',
  path: '/v1/responses/{id}',
  body: 'none',
  summary: 'Delete a stored response',
  // What the client asked to be gone is known to be gone, whoever still listens.
  understand: () => ({ finishWithoutClient: true }),
  outcome: (json, { params }) => deletedOutcome(json, { kind, id: params.id ?? '' }),
  serveStored: removeKept,
})

const cancel = byId({
  kind,
  id: 'responses.cancel',
  method: 'POST',
  path: '/v1/responses/{id}/cancel',
  body: 'none',
  summary: 'Cancel a response that is being made in the background',
  schema,
  outcome,
  serveStored: cancelKept,
})

const inputItems = byId({
  kind,
  id: 'responses.input_items',
  method: 'GET',
  path: '/v1/responses/{id}/input_items',
  body: 'none',
  summary: 'List the input items of a stored response',
  outcome: plainOutcome,
  serveStored: inputItemsKept,
})

/** What can be done with a response that its account has stored. */
export const storedResponses = [retrieve, remove, cancel, inputItems]

/** The account must read it as it is read here: anything but one plain word is an error. */
function readStream({ query }: ClientRequest): boolean {
  const values = new URLSearchParams(query).getAll('stream')
  if (values.length > 1 || !['true', 'false', undefined].includes(values[0])) {
    throw wrong('stream', '`true` or `false`')
  }
  return values[0] === 'true'
}
