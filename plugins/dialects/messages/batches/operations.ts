import type { Dialect } from '../../../../src/contract/dialect.ts'
import { GatewayError } from '../../../../src/contract/errors.ts'
import type { Authenticated, Received, Understood } from '../../../../src/contract/exchange.ts'
import type { Candidate } from '../../../../src/contract/candidate.ts'
import type { AccountFiles } from '../../../../src/contract/files.ts'
import {
  type AccountClient,
  type PerformOperation,
  defineOperation,
} from '../../../../src/contract/operation.ts'
import type { Call } from '../../../../src/contract/call.ts'
import type { Reply } from '../../../../src/contract/outcome.ts'
import { isJobId } from '../../../../src/jobs/ids.ts'
import { aboutJob, orderJob } from '../../../../src/jobs/job.ts'
import {
  type Objects,
  type StoredObject,
  isUsableId,
  newObject,
  ownObject,
  recordWork,
  shownOf,
} from '../../../../src/jobs/objects.ts'
import type { OpenJobs } from '../../../../src/jobs/open-jobs.ts'
import { accountOf } from '../../../../src/jobs/owner.ts'
import { settlingSeconds } from '../../../../src/jobs/refresh-job.ts'
import { wrong } from '../../../../src/kit/checks.ts'
import type { PublicUrl } from '../../../../src/kit/public-url.ts'
import { type JsonObject, isObject } from '../../../../src/lib/json/object.ts'
import { stringAt } from '../../../../src/lib/json/read.ts'
import { createNativeRequest } from '../../../../src/upstream/native.ts'
import { type BatchRequests, callOf, modelEdits } from '../../shared/batch-requests.ts'
import { clientVersion, requireVersion, samplingVersion } from '../version.ts'
import { readRequests } from './requests.ts'
import { batchSchema, deletedSchema, listSchema, requestSchema } from './schema.ts'
import { isOver, pathOf } from './state.ts'

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
const prefix = 'msgbatch_'
const kind = 'message-batch'

/** Files of requests are those of the account. */
const noFiles: AccountFiles = { prefix: '', owns: () => false, find: async () => undefined }

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
    async understand(exchange, body) {
      requireVersion(exchange.request)
      const options = { dialects: parts.dialects(), files: noFiles }
      const batch = await readRequests(exchange, body, options)
      return { ...orderJob, ...callOf(batch), batch }
    },
    forward: {
      billed: 'job',
      async plan(exchange) {
        const { batch, ...call } = exchange.call
        const edits = [...batch.edits, ...modelEdits(exchange, batch)]
        const version = clientVersion(exchange.request) ?? samplingVersion
        const headers = { 'anthropic-version': version }
        let made: StoredObject | undefined
        return {
          outbound: createNativeRequest(
            { ...exchange, call: { ...call, edits } },
            { path, headers },
          ),
          observer() {
            throw new Error('The reply to a batch is no stream.')
          },
          read(json) {
            const upstreamId = stringAt(json, 'id')
            if (!isUsableId(upstreamId)) return unreadable
            const created = { kind, upstreamId, shown: described(json) } as const
            made = newObject(exchange, exchange.candidate, created, now())
            recordWork(exchange, made)
            const produced = {
              kind: 'batch',
              id: prefix + made.id,
              upstreamId,
              model: exchange.model.name,
            }
            return {
              outcome: { status: 'completed', fault: 'none', produced },
              status: 200,
              body: Buffer.from(JSON.stringify(show(made, exchange))),
            }
          },
          persist: () => made && objects.create(made),
        }
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
    async serve(exchange) {
      const { caller, request } = exchange as Authenticated
      const { isBackwards, ...page } = readPage(request.query)
      const { values, hasMore } = await objects.list(kind, caller.keyId, page)
      const ordered = isBackwards ? values.toReversed() : values
      const data = ordered.map((batch) => show(batch, exchange))
      const [first_id = null, last_id = null] = [data[0]?.id, data.at(-1)?.id]
      return json({ data, has_more: hasMore, first_id, last_id })
    },
  })

  const retrieve = onBatch({
    id: 'message-batches.retrieve',
    method: 'GET',
    summary: 'Retrieve the status of a batch of messages',
    schema: { reply: batchSchema },
    async perform(exchange, { batch, candidate, accountClient, unknown }) {
      recordWork(exchange, batch)
      if (batch.isOver) return json(show(batch, exchange))
      const call = { method: 'GET', path: pathOf(batch.upstreamId) } as const
      const found = await accountClient.fetchJson(candidate, call).catch((error: unknown) => {
        const isYoung = now() / 1_000 - batch.createdAt <= settlingSeconds
        throwUnlessAway(error, isYoung ? undefined : unknown)
      })
      if (!found) return json(show(batch, exchange), { 'x-dragoman-stale': 'true' })
      return updated(exchange, batch, found.json)
    },
  })

  const cancel = onBatch({
    id: 'message-batches.cancel',
    method: 'POST',
    action: '/cancel',
    body: 'optional',
    summary: 'Cancel a batch of messages',
    schema: { reply: batchSchema },
    async perform(exchange, { batch, candidate, accountClient, unknown }) {
      const call = { method: 'POST', path: pathOf(batch.upstreamId, '/cancel') } as const
      const found = await accountClient.fetchJson(candidate, call).catch(orUnknown(unknown))
      return updated(exchange, batch, found.json)
    },
  })

  const results = onBatch({
    id: 'message-batches.results',
    method: 'GET',
    action: '/results',
    summary: 'Read the results of a batch of messages, a JSON text a line',
    replies: ['application/x-jsonl'],
    async perform(_exchange, { batch, candidate, accountClient, unknown }) {
      const place = { method: 'GET', path: pathOf(batch.upstreamId, '/results') } as const
      const reply = await accountClient.proxy(candidate, place).catch(orUnknown(unknown))
      const headers = { 'content-type': 'application/x-jsonl', ...reply.headers }
      delete (headers as Record<string, string>)['content-disposition']
      return { ...reply, headers: { ...headers, 'x-content-type-options': 'nosniff' } }
    },
  })

  const remove = onBatch({
    id: 'message-batches.delete',
    method: 'DELETE',
    summary: 'Delete a batch of messages',
    schema: { reply: deletedSchema },
    async perform(_exchange, { batch, candidate, accountClient }) {
      const { keyId, id } = batch
      // Its account cannot say afterwards what it has used.
      await openJobs.look({ kind: 'batch', keyId, id })
      const call = { method: 'DELETE', path: pathOf(batch.upstreamId) } as const
      await accountClient.fetchJson(candidate, call).catch((error: unknown) => {
        if (!isNotFound(error)) throw error
      })
      await objects.remove(batch)
      return json({ id: prefix + id, type: 'message_batch_deleted' })
    },
  })

  interface AtAccount {
    readonly batch: StoredObject
    readonly candidate: Candidate
    readonly accountClient: AccountClient
    readonly unknown: () => GatewayError
  }

  interface Settings extends Pick<
    PerformOperation,
    'id' | 'method' | 'summary' | 'schema' | 'replies' | 'body'
  > {
    readonly action?: string
    perform(exchange: Understood, at: AtAccount): Promise<Reply>
  }

  function onBatch({ action = '', perform, ...shape }: Settings) {
    return defineOperation({
      ...shape,
      body: shape.body ?? 'none',
      paths: [`${path}/${prefix}{id}${action}`],
      auth: 'key',
      capability: 'stored-batch',
      understand: () => aboutJob,
      async perform(exchange, _send, accountClient) {
        const { id = '' } = exchange.params
        const unknown = () => notFound(prefix + id)
        const batch = await ownObject(exchange, objects, [kind, id], unknown)
        const candidate = accountOf(exchange, batch, 'batch')
        return perform(exchange, { batch, candidate, accountClient, unknown })
      },
    })
  }

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
    if (!stored) throw notFound(prefix + batch.id)
    recordWork(exchange, stored)
    const { keyId, id } = batch
    if (next.isOver) void openJobs.look({ kind: 'batch', keyId, id })
    return json(show(next, exchange))
  }

  /** A batch as clients see it. The SDKs follow `results_url` with the client's key. */
  function show({ id, shown }: StoredObject, { request }: Pick<Received, 'request'>) {
    const own = `${path}/${prefix}${id}/results`
    const results_url = shown['results_url'] === null ? null : urlOf(own, request)
    return { id: prefix + id, ...shown, results_url }
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

const unreadable = {
  failedHere: true,
  outcome: {
    status: 'failed',
    fault: 'account',
    error: new GatewayError('upstream_invalid_reply', 'The upstream’s reply names no batch.'),
  },
} as const

/** In characters. */
const longestShown = 200

function notFound(shown: string): GatewayError {
  return new GatewayError('not_found', `Batch with id '${shown.slice(0, longestShown)}' not found.`)
}

function isNotFound(error: unknown): boolean {
  return GatewayError.isInstance(error) && error.upstream?.status === 404
}

function orUnknown(unknown: () => GatewayError): (error: unknown) => never {
  return (error) => {
    throw isNotFound(error) ? unknown() : error
  }
}

/** An account that is away leaves the last known state. */
function throwUnlessAway(error: unknown, unknown: (() => GatewayError) | undefined): void {
  if (!GatewayError.isInstance(error)) throw error
  if (error.code === 'client_closed_request' || error.code === 'internal_error') throw error
  if (isNotFound(error) && unknown) throw unknown()
}

function json(body: object, headers: Record<string, string> = {}): Reply {
  return {
    status: 200,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  }
}

const mostOfPage = 1_000
const usualOfPage = 20

function readPage(query: string) {
  const parameters = new URLSearchParams(query)
  const limit = Number(parameters.get('limit') ?? usualOfPage)
  if (!Number.isInteger(limit) || limit < 1 || limit > mostOfPage)
    throw wrong('limit', `an integer from 1 to ${mostOfPage}`)
  const idIn = (name: string) => {
    const shown = parameters.get(name)
    if (shown === null) return undefined
    const id = shown.startsWith(prefix) ? shown.slice(prefix.length) : ''
    if (!isJobId(id)) throw wrong(name, 'the id of a batch')
    return id
  }
  const [after, before] = [idIn('after_id'), idIn('before_id')]
  // The page before a batch has those that are right above it in the list, which begins with the newest.
  const isBackwards = before !== undefined && after === undefined
  const order = isBackwards ? ('asc' as const) : ('desc' as const)
  return { limit, order, after: after ?? before, isBackwards }
}
