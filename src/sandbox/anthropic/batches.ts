import type { Account } from '../accounts.ts'
import { FaultError } from '../fault.ts'
import { newId } from '../ids.ts'
import { type JsonObject, objectOf, objectsOf, textOf } from '../json.ts'
import { Problem, badRequest } from '../problem.ts'
import type { Call, Endpoint, Reply } from '../provider.ts'
import { list, object, string } from '../shape.ts'
import { readDirectives } from '../steering/read-directives.ts'
import type { StoredMessageBatch } from '../stored.ts'
import { messages } from './messages.ts'
import { anthropic, renderAnthropicError } from './provider.ts'
import { readVersion } from './version.ts'

const all = /^\/v1\/messages\/batches$/
const one = /^\/v1\/messages\/batches\/(?<id>[^/]+)$/

/** `/v1/messages/batches` and below. A batch ends at its second status request. */
export const messageBatches: Endpoint[] = [
  { provider: anthropic, method: 'POST', path: all, hasBody: true, answer: create },
  { provider: anthropic, method: 'GET', path: all, hasBody: false, answer: listAll },
  { provider: anthropic, method: 'GET', path: one, hasBody: false, answer: retrieve },
  { provider: anthropic, method: 'DELETE', path: one, hasBody: false, answer: remove },
  {
    provider: anthropic,
    method: 'POST',
    path: /^\/v1\/messages\/batches\/(?<id>[^/]+)\/cancel$/,
    hasBody: false,
    answer: cancel,
  },
  {
    provider: anthropic,
    method: 'GET',
    path: /^\/v1\/messages\/batches\/(?<id>[^/]+)\/results$/,
    hasBody: false,
    answer: results,
  },
]

const createRequest = object({
  required: {
    requests: list(
      object({
        required: {
          custom_id: string({ pattern: /^[a-zA-Z0-9_-]{1,64}$/ }),
          params: object({ open: true }),
        },
      }),
      { min: 1, max: 100_000 },
    ),
  },
})

function create({ account, headers, query, body, origin }: Call): Reply {
  readVersion(headers, query)
  createRequest(body, [])
  const requests = objectsOf(body['requests']).map((request) => ({
    id: textOf(request['custom_id']),
    params: objectOf(request['params']),
  }))
  if (new Set(requests.map(({ id }) => id)).size < requests.length)
    throw badRequest('requests: custom_id must be unique')
  const batch: StoredMessageBatch = {
    id: newId('msgbatch_'),
    createdAt: Date.now(),
    requests,
    status: 'in_progress',
    isCanceled: false,
    endedAt: undefined,
    results: [],
    counts: { succeeded: 0, errored: 0, canceled: 0 },
  }
  account.messageBatches.put(batch.id, batch, 1024 + JSON.stringify(body).length)
  return { json: render(batch, origin) }
}

function listAll({ account, headers, query, origin }: Call): Reply {
  readVersion(headers, query)
  const data = [...account.messageBatches.values()].toReversed().map((one) => render(one, origin))
  const [first_id = null, last_id = null] = [data[0]?.['id'], data.at(-1)?.['id']]
  return { json: { data, has_more: false, first_id, last_id } }
}

const polled = new WeakSet<StoredMessageBatch>()

function retrieve(call: Call): Reply {
  const batch = find(call)
  if (batch.status !== 'ended') {
    if (polled.has(batch)) end(batch, call)
    polled.add(batch)
  }
  return { json: render(batch, call.origin) }
}

function cancel(call: Call): Reply {
  const batch = find(call)
  if (batch.status === 'ended') throw badRequest('The batch has ended.')
  batch.status = 'canceling'
  batch.isCanceled = true
  return { json: render(batch, call.origin) }
}

function remove(call: Call): Reply {
  const { id, status } = find(call)
  if (status !== 'ended') throw badRequest('The batch has not ended: cancel it first.')
  call.account.messageBatches.delete(id)
  return { json: { id, type: 'message_batch_deleted' } }
}

function results(call: Call): Reply {
  const batch = find(call)
  if (batch.status !== 'ended') throw new Problem(404, 'The batch has no results yet.')
  const content = Buffer.from(batch.results.map((line) => `${line}\n`).join(''))
  return { content, status: 200, headers: { 'content-type': 'application/x-jsonl' } }
}

function end(batch: StoredMessageBatch, call: Call): void {
  for (const { id, params } of batch.requests) {
    const result = batch.isCanceled ? { type: 'canceled' } : resultOf(params, call)
    if (result.type === 'canceled') batch.counts.canceled++
    else if (result.type === 'succeeded') batch.counts.succeeded++
    else batch.counts.errored++
    batch.results.push(JSON.stringify({ custom_id: id, result }))
  }
  batch.status = 'ended'
  batch.endedAt = Date.now()
}

function resultOf(params: JsonObject, call: Call): JsonObject & { type: string } {
  try {
    const directives = readDirectives(textOf(params['model']), undefined, call.account.id)
    const reply = messages[0]!.answer({ ...call, body: params, params: {}, directives })
    return { type: 'succeeded', message: 'json' in reply ? reply.json : {} }
  } catch (error) {
    const problem = error instanceof FaultError ? anthropic.explainFault(error.fault) : error
    if (!(problem instanceof Problem)) throw error
    return { type: 'errored', error: { ...renderAnthropicError(problem), request_id: null } }
  }
}

function find({ account, params, headers, query }: Call): StoredMessageBatch {
  readVersion(headers, query)
  const batch = batchOf(account, params['id'] ?? '')
  if (!batch) throw new Problem(404, `Batch ${params['id']} not found`)
  return batch
}

function batchOf(account: Account, id: string): StoredMessageBatch | undefined {
  return account.messageBatches.get(id)
}

const dayMs = 86_400_000

function render(batch: StoredMessageBatch, origin: string): JsonObject {
  const { id, createdAt, requests, status, isCanceled, endedAt, counts } = batch
  const at = (time: number) => new Date(time).toISOString()
  return {
    id,
    type: 'message_batch',
    processing_status: status,
    request_counts: { processing: status === 'ended' ? 0 : requests.length, expired: 0, ...counts },
    ended_at: endedAt === undefined ? null : at(endedAt),
    created_at: at(createdAt),
    expires_at: at(createdAt + dayMs),
    archived_at: null,
    cancel_initiated_at: isCanceled ? at(createdAt) : null,
    results_url: status === 'ended' ? `${origin}/v1/messages/batches/${id}/results` : null,
  }
}
