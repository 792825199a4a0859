import type { Dialect } from '../../../../src/contract/dialect.ts'
import { GatewayError } from '../../../../src/contract/errors.ts'
import type { Authenticated, Received, Understood } from '../../../../src/contract/exchange.ts'
import { defineOperation } from '../../../../src/contract/operation.ts'
import type { Call } from '../../../../src/contract/call.ts'
import type { Reply } from '../../../../src/contract/outcome.ts'
import { orderJob } from '../../../../src/jobs/job.ts'
import {
  type Objects,
  type StoredObject,
  isUsableId,
  newObject,
  recordWork,
  shownOf,
} from '../../../../src/jobs/objects.ts'
import type { OpenJobs } from '../../../../src/jobs/open-jobs.ts'
import type { PublicUrl } from '../../../../src/kit/public-url.ts'
import { type JsonObject, isObject } from '../../../../src/lib/json/object.ts'
import { stringAt } from '../../../../src/lib/json/read.ts'
import { createNativeRequest } from '../../../../src/upstream/native.ts'
import { type BatchRequests, callOf, modelEdits } from '../../shared/batch-requests.ts'
import {
  accountFilesOf,
  asDownload,
  json,
  notFound,
  onObject,
  orNotFound,
  pathOf,
  planCreation,
  shownId,
  unlessAway,
  unlessNotFound,
} from '../../shared/stored-objects.ts'
import { listOf } from '../page.ts'
import { messageFileFamily } from '../stored-files/family.ts'
import { clientVersion, requireVersion, samplingVersion } from '../version.ts'
import { readRequests } from './requests.ts'
import { batchSchema, deletedSchema, listSchema, requestSchema } from './schema.ts'
import { batchFamily as family, isOver } from './state.ts'

/** Dependencies of the operations on batches of messages. */
export interface BatchDependencies {
  readonly objects: Objects
  readonly openJobs: Pick<OpenJobs, 'look'>
  readonly dialects: () => readonly Dialect[]
  /** Absent: `results_url` is a path. */
  readonly publicUrl?: PublicUrl | undefined
  /** Returns milliseconds since 1970. */
  readonly now: () => number
}

interface BatchCall extends Call {
  readonly batch: BatchRequests
}

const path = '/v1/messages/batches'

/** Defines the operations on batches of messages. */
export function batchOperations(parts: BatchDependencies) {
  const { objects, openJobs, now } = parts

  const create = defineOperation<BatchCall>({
    id: 'message-batches.create',
    method: 'POST',
    paths: [path],
    auth: 'key',
    capability: 'batch',
    summary: 'Order messages, which are served within a day',
    schema: { request: requestSchema, reply: batchSchema },
    least: { body: {}, headers: { 'anthropic-version': samplingVersion } },
    async understand(exchange, body) {
      requireVersion(exchange.request)
      const files = accountFilesOf(messageFileFamily, objects)
      const options = { dialects: parts.dialects(), files }
      const batch = await readRequests(exchange, body, options)
      return { ...orderJob, ...callOf(batch, 'requests'), batch }
    },
    forward: {
      billed: 'job',
      async plan(exchange) {
        const { batch, ...call } = exchange.call
        const edits = [...batch.edits, ...modelEdits(exchange, batch)]
        const version = clientVersion(exchange.request) ?? samplingVersion
        const headers = { 'anthropic-version': version }
        const own = { ...exchange, call: { ...call, edits } }
        return planCreation(createNativeRequest(own, { path, headers }), objects, (json) => {
          const upstreamId = stringAt(json, 'id')
          if (!isUsableId(upstreamId)) return undefined
          const { work } = batch
          const created = { kind: family.kind, upstreamId, shown: described(json), work } as const
          const object = newObject(exchange, exchange.candidate, created, now())
          recordWork(exchange, object)
          const produced = {
            kind: 'batch',
            id: shownId(family, object.id),
            upstreamId,
            model: exchange.model.name,
          }
          return { object, shown: show(object, exchange), outcome: { produced } }
        })
      },
    },
  })

  const list = defineOperation({
    id: 'message-batches.list',
    method: 'GET',
    paths: [path],
    auth: 'key',
    body: 'none',
    summary: 'List the batches of messages of the key, newest first, page by page',
    schema: { reply: listSchema },
    serve: async (exchange) =>
      json(await listOf(exchange as Authenticated, objects, family, (one) => show(one, exchange))),
  })

  const retrieve = onObject(family, objects, {
    id: 'message-batches.retrieve',
    method: 'GET',
    summary: 'Retrieve the status of a batch of messages',
    schema: { reply: batchSchema },
    async perform(exchange, at) {
      const { object: batch, candidate, accountClient } = at
      recordWork(exchange, batch)
      if (batch.isOver) return json(show(batch, exchange))
      const call = { method: 'GET', path: pathOf(family, batch.upstreamId) } as const
      const found = await accountClient.fetchJson(candidate, call).catch(unlessAway(at, now()))
      if (!found) return json(show(batch, exchange), { 'x-dragoman-stale': 'true' })
      return updated(exchange, batch, found.json)
    },
  })

  const cancel = onObject(family, objects, {
    id: 'message-batches.cancel',
    method: 'POST',
    action: '/cancel',
    body: 'optional',
    summary: 'Cancel a batch of messages',
    schema: { reply: batchSchema },
    async perform(exchange, { object: batch, candidate, accountClient, notFound: unknown }) {
      const call = { method: 'POST', path: pathOf(family, batch.upstreamId, '/cancel') } as const
      const found = await accountClient.fetchJson(candidate, call).catch(orNotFound(unknown))
      return updated(exchange, batch, found.json)
    },
  })

  const results = onObject(family, objects, {
    id: 'message-batches.results',
    method: 'GET',
    action: '/results',
    summary: 'Read the results of a batch of messages, a JSON text a line',
    replies: ['application/x-jsonl'],
    async perform(_exchange, { object: batch, candidate, accountClient, notFound: unknown }) {
      const place = { method: 'GET', path: pathOf(family, batch.upstreamId, '/results') } as const
      const reply = await accountClient.proxy(candidate, place).catch(orNotFound(unknown))
      const headers = { ...reply.headers, 'content-type': 'application/x-jsonl' }
      return asDownload({ ...reply, headers }, shownId(family, batch.id))
    },
  })

  const remove = onObject(family, objects, {
    id: 'message-batches.delete',
    method: 'DELETE',
    summary: 'Delete a batch of messages',
    schema: { reply: deletedSchema },
    async perform(_exchange, { object: batch, candidate, accountClient }) {
      const { keyId, id } = batch
      // Its account cannot say afterwards what it has used.
      await openJobs.look({ kind: 'batch', keyId, id })
      const call = { method: 'DELETE', path: pathOf(family, batch.upstreamId) } as const
      await accountClient.fetchJson(candidate, call).catch(unlessNotFound)
      await objects.remove(batch)
      return json({ id: shownId(family, id), type: 'message_batch_deleted' })
    },
  })

  /** Stores what the account says of a batch, and returns it. */
  async function updated(
    exchange: Understood,
    batch: StoredObject,
    found: unknown,
  ): Promise<Reply> {
    if (!isObject(found) || stringAt(found, 'processing_status') === undefined) {
      throw new GatewayError('upstream_invalid_reply', 'The reply describes no batch.')
    }
    const next: StoredObject = {
      ...batch,
      shown: described(found),
      ...(isOver(found) && { isOver: true }),
    }
    const stored = await objects.update(batch, (known) => (known.isOver ? known : next))
    if (!stored) throw notFound(family, shownId(family, batch.id))
    recordWork(exchange, stored)
    const { keyId, id } = batch
    if (next.isOver) void openJobs.look({ kind: 'batch', keyId, id })
    return json(show(next, exchange))
  }

  /** A batch as clients see it. The SDKs follow `results_url` with the client's key. */
  function show({ id, shown }: StoredObject, { request }: Pick<Received, 'request'>) {
    const own = `${family.folder}${shownId(family, id)}/results`
    const results_url = shown['results_url'] === null ? null : urlOf(own, request)
    return { id: shownId(family, id), ...shown, results_url }
  }

  function urlOf(own: string, request: Received['request']): string {
    try {
      return parts.publicUrl?.of(own, request) ?? own
    } catch {
      // The address of the gateway is unknown: clients know it.
      return own
    }
  }

  return [create, list, retrieve, cancel, results, remove]
}

/** The members of an account's batch, without its id and its own URL. */
function described(json: unknown): JsonObject {
  const { id: _id, results_url: url, ...shown } = json as JsonObject
  return { ...shownOf(shown), results_url: typeof url === 'string' ? '' : null }
}
