import { GatewayError } from '../../../src/contract/errors.ts'
import type { Authenticated, Understood } from '../../../src/contract/exchange.ts'
import { defineOperation } from '../../../src/contract/operation.ts'
import type { Reply } from '../../../src/contract/outcome.ts'
import { partId } from '../../../src/jobs/ids.ts'
import {
  type StoredObject,
  isUsableId,
  newObject,
  recordWork,
  shownOf,
} from '../../../src/jobs/objects.ts'
import { isObject } from '../../../src/lib/json/object.ts'
import { stringAt } from '../../../src/lib/json/read.ts'
import {
  type AtAccount,
  json,
  onObject,
  orNotFound,
  pathOf,
  showObject,
  shownId,
  unlessAway,
} from '../shared/stored-objects.ts'
import { batchOf, isOver } from './batch-state.ts'
import { type FilesDependencies, batchFamily, fileFamily } from './families.ts'
import { listReply } from './page.ts'
import { batchListSchema, batchSchema } from './schema.ts'

/** Defines the operations on batches, besides their order. */
export function batchOperations({ objects, openJobs, now }: FilesDependencies) {
  const list = defineOperation({
    id: 'batches.list',
    method: 'GET',
    paths: ['/v1/batches'],
    auth: 'key',
    body: 'none',
    summary: 'List the batches of the key, newest first, page by page',
    schema: { reply: batchListSchema },
    serve: (exchange) =>
      listReply(exchange as Authenticated, objects, { family: batchFamily, most: 100, usual: 20 }),
  })

  const retrieve = onObject(batchFamily, objects, {
    id: 'batches.retrieve',
    method: 'GET',
    summary: 'Retrieve the status of a batch',
    schema: { reply: batchSchema },
    async perform(exchange, at) {
      const { object, candidate, accountClient } = at
      recordWork(exchange, object)
      if (object.isOver) return json(showObject(batchFamily, object))
      const call = { method: 'GET', path: pathOf(batchFamily, object.upstreamId) } as const
      const found = await accountClient.fetchJson(candidate, call).catch(unlessAway(at, now()))
      if (!found) return json(showObject(batchFamily, object), { 'x-dragoman-stale': 'true' })
      return shownBatch(exchange, at, found.json)
    },
  })

  const cancel = onObject(batchFamily, objects, {
    id: 'batches.cancel',
    method: 'POST',
    action: '/cancel',
    body: 'optional',
    summary: 'Cancel a batch',
    schema: { reply: batchSchema },
    async perform(exchange, at) {
      const { object, candidate, accountClient } = at
      const call = {
        method: 'POST',
        path: pathOf(batchFamily, object.upstreamId, '/cancel'),
      } as const
      const found = await accountClient.fetchJson(candidate, call).catch(orNotFound(at.notFound))
      return shownBatch(exchange, at, found.json)
    },
  })

  /** Stores what the account says of a batch, with the files that it has made, and returns it. */
  async function shownBatch(exchange: Understood, at: AtAccount, found: unknown): Promise<Reply> {
    const { object } = at
    if (!isObject(found) || stringAt(found, 'status') === undefined) {
      throw new GatewayError('upstream_invalid_reply', 'The reply describes no batch.')
    }
    const output = await fileOf(exchange, at, stringAt(found, 'output_file_id'))
    const error = await fileOf(exchange, at, stringAt(found, 'error_file_id'))
    const input = stringAt(object.shown, 'input_file_id') ?? ''
    const next: StoredObject = {
      ...object,
      shown: shownOf(batchOf(found, { input, output, error })),
      ...(isOver(found) && { isOver: true }),
    }
    // Another process may have learned of the end meanwhile.
    const stored = await objects.update(object, (known) => (known.isOver ? known : next))
    if (!stored) throw at.notFound()
    recordWork(exchange, stored)
    const { keyId, id } = object
    if (next.isOver) void openJobs.look({ kind: 'batch', keyId, id })
    return json(showObject(batchFamily, next))
  }

  /** The client's id of a file that the account has made for a batch, which then is a file of the batch's key. */
  async function fileOf(
    exchange: Understood,
    { object, candidate, accountClient }: AtAccount,
    upstreamId: string | undefined,
  ): Promise<string | null> {
    if (!isUsableId(upstreamId)) return null
    const id = partId(object.id, upstreamId)
    const known = await objects.find('file', id, object.keyId)
    if (!known) {
      const shown = { object: 'file', purpose: 'batch_output' }
      const made = { kind: 'file', upstreamId, shown } as const
      const file = { ...newObject(exchange, candidate, made, now()), id }
      const call = { method: 'GET', path: pathOf(fileFamily, upstreamId) } as const
      const described = await accountClient.fetchJson(candidate, call).catch(() => undefined)
      const { id: _id, ...facts } = isObject(described?.json) ? described.json : file.shown
      await objects.create({ ...file, shown: shownOf(facts) })
    }
    return shownId(fileFamily, id)
  }

  return [list, retrieve, cancel]
}
