import type { StoredResponse } from '../../accounts.ts'
import { objectOf, textOf, type JsonObject } from '../../json.ts'
import { badRequest, Problem } from '../../problem.ts'
import type { Call, Endpoint, Reply } from '../../provider.ts'
import { openai } from '../provider.ts'
import { renderEvents } from './events.ts'

/** What can be done with a stored response, by the account that made it. */
export const storedResponses: Endpoint[] = [
  { ...onResponse('GET', /^\/v1\/responses\/(?<id>[^/]+)$/), answer: retrieve },
  { ...onResponse('DELETE', /^\/v1\/responses\/(?<id>[^/]+)$/), answer: remove },
  { ...onResponse('POST', /^\/v1\/responses\/(?<id>[^/]+)\/cancel$/), answer: cancel },
  { ...onResponse('GET', /^\/v1\/responses\/(?<id>[^/]+)\/input_items$/), answer: listInputItems },
]

function onResponse(method: Endpoint['method'], path: RegExp) {
  return { provider: openai, method, path, hasBody: false }
}

// Background work is done when it is first asked after.
function retrieve(call: Call): Reply {
  const stored = find(call)
  if (stored.becomes) {
    stored.response = stored.becomes
    delete stored.becomes
  }
  const json = stored.response
  if (call.query.get('stream') !== 'true') return { json }

  const after = Number(call.query.get('starting_after') ?? -1)
  const frames = renderEvents(json).filter(
    ({ data }) => Number(objectOf(data)['sequence_number']) > after,
  )
  return { json, stream: { frames, failure: [], framing: 'sse' } }
}

function remove(call: Call): Reply {
  const { id } = find(call).response
  call.account.responses.delete(textOf(id))
  return { json: { id, object: 'response', deleted: true } }
}

function cancel(call: Call): Reply {
  const stored = find(call)
  if (stored.response['background'] !== true)
    throw badRequest('Only responses created with background=true can be cancelled.')
  if (stored.becomes) {
    stored.response = { ...stored.response, status: 'cancelled' }
    delete stored.becomes
  }
  return { json: stored.response }
}

function listInputItems(call: Call): Reply {
  const limit = Number(call.query.get('limit') ?? 20)
  if (!Number.isInteger(limit) || limit < 1 || limit > 100)
    throw badRequest("Invalid 'limit': expected an integer from 1 to 100.", 'limit')
  const { inputItems } = find(call)
  const ordered = call.query.get('order') === 'asc' ? inputItems : inputItems.toReversed()
  const rest = afterItem(ordered, call.query.get('after'))
  const data = rest.slice(0, limit)
  const [first, last] = [data[0]?.['id'] ?? null, data.at(-1)?.['id'] ?? null]
  const has_more = rest.length > limit
  return { json: { object: 'list', data, first_id: first, last_id: last, has_more } }
}

function afterItem(items: JsonObject[], id: string | null): JsonObject[] {
  return id === null ? items : items.slice(items.findIndex((item) => item['id'] === id) + 1)
}

function find({ account, params }: Call): StoredResponse {
  const stored = account.responses.get(params['id'] ?? '')
  if (!stored) throw new Problem(404, `Response with id '${params['id']}' not found.`)
  return stored
}
