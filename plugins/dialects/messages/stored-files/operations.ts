import type { Authenticated, Routed, Understood } from '../../../../src/contract/exchange.ts'
import { defineOperation } from '../../../../src/contract/operation.ts'
import { orderJob } from '../../../../src/jobs/job.ts'
import {
  type Objects,
  type StoredObject,
  isUsableId,
  newObject,
  shownOf,
} from '../../../../src/jobs/objects.ts'
import { unavailable } from '../../../../src/jobs/owned-records.ts'
import { wrong } from '../../../../src/kit/checks.ts'
import { type JsonObject, isObject } from '../../../../src/lib/json/object.ts'
import { stringAt } from '../../../../src/lib/json/read.ts'
import { secondsOf } from '../../../../src/lib/time.ts'
import { createNativeRequest } from '../../../../src/upstream/native.ts'
import type { KnownBindings } from '../../../../src/stores/bindings.ts'
import { fileOf, formIn } from '../../shared/form-file.ts'
import {
  asDownload,
  idOf,
  json,
  onObject,
  orNotFound,
  pathOf,
  planCreation,
  showObject,
  shownId,
  unlessNotFound,
} from '../../shared/stored-objects.ts'
import { listOf } from '../page.ts'
import { clientVersion, requireVersion, samplingVersion } from '../version.ts'
import { messageFileFamily as family } from './family.ts'
import { deletedSchema, fileSchema, listSchema, uploadSchema } from './schema.ts'

/** Dependencies of the operations on files. */
export interface FilesDependencies {
  readonly objects: Objects
  /** Finds files that code has made for a key, by the account's own ids. */
  readonly bindings: Pick<KnownBindings, 'find'>
  /** Returns milliseconds since 1970. */
  readonly now: () => number
}

const path = '/v1/files'

/** The most ids that one list may name. */
const mostIds = 100

/** Defines the operations on files of Anthropic's API. */
export function fileOperations({ objects, bindings, now }: FilesDependencies) {
  const create = defineOperation({
    id: 'message-files.create',
    method: 'POST',
    paths: [path],
    auth: 'key',
    body: 'form',
    capability: 'stored-file',
    summary: 'Upload a file to an account, for messages',
    schema: { request: uploadSchema, reply: fileSchema },
    understand({ request }, body) {
      requireVersion(request)
      fileOf(formIn(body), 'file')
      // An account that has the file keeps it, whether or not the client waits for its id.
      return { ...orderJob, model: '' }
    },
    forward: {
      billed: 'reply',
      async plan(exchange) {
        const { request } = exchange
        const headers = { 'anthropic-version': clientVersion(request) ?? samplingVersion }
        const outbound = createNativeRequest(exchange, { path, query: request.query, headers })
        return planCreation(outbound, objects, (json) => {
          const object = created(exchange, json)
          if (!object) return undefined
          const discloses = [{ kind: 'file', id: object.upstreamId }] as const
          return { object, shown: showObject(family, object), outcome: { discloses } }
        })
      },
    },
  })

  const list = defineOperation({
    id: 'message-files.list',
    method: 'GET',
    paths: [path],
    auth: 'key',
    body: 'none',
    summary: 'List the files of the key for messages, newest first, page by page',
    schema: { reply: listSchema },
    async serve(exchange) {
      const own = exchange as Authenticated
      const ids = idsIn(own.request.query)
      if (ids) return json({ ...(await named(own, ids)), next_page: null })
      const page = await listOf(own, objects, family, (one) => showObject(family, one))
      return json({ ...page, next_page: page.has_more ? page.last_id : null })
    },
  })

  const known = {
    find: async (kind: StoredObject['kind'], id: string, keyId: string) =>
      (await objects.find(kind, id, keyId)) ?? madeByCode(id, keyId),
  }

  const retrieve = onObject(family, known, {
    id: 'message-files.retrieve',
    method: 'GET',
    summary: 'Look up a file for messages',
    schema: { reply: fileSchema },
    async perform(_exchange, { object, candidate, accountClient, notFound }) {
      const call = { method: 'GET', path: pathOf(family, object.upstreamId) } as const
      const reply = await accountClient.fetchJson(candidate, call).catch(orNotFound(notFound))
      if (!isObject(reply.json)) throw notFound()
      return json(showObject(family, { id: object.id, shown: described(reply.json) }))
    },
  })

  const content = onObject(family, known, {
    id: 'message-files.content',
    method: 'GET',
    action: '/content',
    summary: 'Download a file that code has made',
    replies: ['*/*'],
    async perform(_exchange, { object, candidate, accountClient, notFound }) {
      const place = { method: 'GET', path: pathOf(family, object.upstreamId, '/content') } as const
      const reply = await accountClient.proxy(candidate, place).catch(orNotFound(notFound))
      return asDownload(reply, shownId(family, object.id))
    },
  })

  const remove = onObject(family, known, {
    id: 'message-files.delete',
    method: 'DELETE',
    summary: 'Delete a file for messages',
    schema: { reply: deletedSchema },
    async perform(_exchange, { object, candidate, accountClient }) {
      const call = { method: 'DELETE', path: pathOf(family, object.upstreamId) } as const
      await accountClient.fetchJson(candidate, call).catch(unlessNotFound)
      await objects.remove(object)
      return json({ id: shownId(family, object.id), type: 'file_deleted' })
    },
  })

  function created(exchange: Routed, json: unknown): StoredObject | undefined {
    const upstreamId = stringAt(json, 'id')
    if (!isUsableId(upstreamId) || !isObject(json)) return undefined
    const expiresAt = secondsOf(stringAt(json, 'expires_at'))
    const facts = { kind: family.kind, upstreamId, shown: described(json), expiresAt }
    return newObject(exchange, exchange.candidate, facts, now())
  }

  async function named(exchange: Understood | Authenticated, ids: readonly string[]) {
    const { keyId } = exchange.caller
    const found = await Promise.all(
      ids.map((id) => objects.find(family.kind, idOf(family, id), keyId)),
    )
    const data = found.flatMap((one) => (one ? [showObject(family, one)] : []))
    const [first_id = null, last_id = null] = [data[0]?.id, data.at(-1)?.id]
    return { data, has_more: false, first_id, last_id }
  }

  /** A file that code has made for the key in the last 30 days: the account has named it in a reply. */
  async function madeByCode(id: string, keyId: string): Promise<StoredObject | undefined> {
    const upstreamId = shownId(family, id)
    if (!isUsableId(upstreamId)) return undefined
    const binding = await bindings
      .find({ kind: 'file', keyId, id: upstreamId })
      .catch((cause: unknown) => {
        throw unavailable(cause, 'Files')
      })
    if (!binding?.account) return undefined
    const { account: accountId } = binding
    const dialect = 'message-files'
    return { kind: family.kind, id, keyId, accountId, dialect, upstreamId, createdAt: 0, shown: {} }
  }

  return [create, list, retrieve, content, remove]
}

/** The members of an account's file without its id. */
function described({ id: _id, ...shown }: JsonObject): JsonObject {
  return shownOf(shown)
}

/** The ids that a list is asked for. Throws `GatewayError` 400 for too many. */
function idsIn(query: string): readonly string[] | undefined {
  const parameters = new URLSearchParams(query)
  const ids = new Set([...parameters.getAll('ids'), ...parameters.getAll('ids[]')])
  if (ids.size > mostIds) throw wrong('ids', `at most ${mostIds} ids`)
  return ids.size > 0 ? [...ids] : undefined
}
