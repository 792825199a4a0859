import { GatewayError } from '../../../../src/contract/errors.ts'
import type { Authenticated } from '../../../../src/contract/exchange.ts'
import { defineOperation } from '../../../../src/contract/operation.ts'
import type { Reply } from '../../../../src/contract/outcome.ts'
import type { RecordPage } from '../../../../src/jobs/owned-records.ts'
import type { StoredObject } from '../../../../src/jobs/objects.ts'
import { checkString, wrong } from '../../../../src/kit/checks.ts'
import { isObject } from '../../../../src/lib/json/object.ts'
import { stringAt } from '../../../../src/lib/json/read.ts'
import { secondsOf } from '../../../../src/lib/time.ts'
import {
  idOf,
  json,
  onObject,
  orNotFound,
  pathOf,
  shownId,
  unlessNotFound,
} from '../../shared/stored-objects.ts'
import {
  type CachesDependencies,
  cacheFamily as family,
  cachesPath,
  describedCache,
  showCache,
} from './family.ts'
import { cacheChangeSchema, cacheListSchema, cacheSchema } from './schema.ts'

/** Defines the operations on caches, besides their creation. */
export function cacheOperations({ objects }: CachesDependencies) {
  const list = defineOperation({
    id: 'cached-contents.list',
    method: 'GET',
    paths: [cachesPath],
    auth: 'key',
    body: 'none',
    summary: 'List the cached contents of the key, newest first, page by page',
    schema: { reply: cacheListSchema },
    async serve(exchange) {
      const { caller, request } = exchange as Authenticated
      const page = readPage(request.query)
      const { values, hasMore } = await objects.list(family.kind, caller.keyId, page)
      const last = values.at(-1)
      return json({
        cachedContents: values.map(showCache),
        ...(hasMore && last && { nextPageToken: shownId(family, last.id) }),
      })
    },
  })

  const retrieve = onObject(family, objects, {
    id: 'cached-contents.retrieve',
    method: 'GET',
    summary: 'Look up a cached content',
    schema: { reply: cacheSchema },
    async perform(_exchange, { object, candidate, accountClient, notFound }) {
      const call = { method: 'GET', path: pathOf(family, object.upstreamId) } as const
      const found = await accountClient.fetchJson(candidate, call).catch(orNotFound(notFound))
      return stored(object, found.json)
    },
  })

  const change = onObject(family, objects, {
    id: 'cached-contents.update',
    method: 'PATCH',
    summary: 'Change when a cached content expires',
    schema: { request: cacheChangeSchema, reply: cacheSchema },
    check(_exchange, { json: body }) {
      for (const name of ['ttl', 'expireTime', 'expire_time']) checkString(body, name)
    },
    async perform({ body, request }, { object, candidate, accountClient, notFound }) {
      // The client's names of the cache and its model are not the account's.
      const { name: _name, model: _model, ...changes } = body.json
      const mask = new URLSearchParams(request.query).get('updateMask')
      const path = pathOf(family, object.upstreamId)
      const query = mask === null ? undefined : String(new URLSearchParams({ updateMask: mask }))
      const call = { method: 'PATCH', path, json: changes, ...(query && { query }) } as const
      const found = await accountClient.fetchJson(candidate, call).catch(orNotFound(notFound))
      return stored(object, found.json)
    },
  })

  const remove = onObject(family, objects, {
    id: 'cached-contents.delete',
    method: 'DELETE',
    body: 'optional',
    summary: 'Delete a cached content',
    schema: { reply: { type: 'object' } },
    async perform(_exchange, { object, candidate, accountClient }) {
      const call = { method: 'DELETE', path: pathOf(family, object.upstreamId) } as const
      await accountClient.fetchJson(candidate, call).catch(unlessNotFound)
      await objects.remove(object)
      return json({})
    },
  })

  /** Stores what the account says of a cache, whose end may be another, and returns it. */
  async function stored(object: StoredObject, found: unknown): Promise<Reply> {
    if (!isObject(found) || stringAt(found, 'name') === undefined) {
      throw new GatewayError('upstream_invalid_reply', 'The reply describes no cached content.')
    }
    const shown = describedCache(found, object.shown['model'])
    const expiresAt = secondsOf(stringAt(found, 'expireTime')) ?? object.expiresAt
    const next = { ...object, shown, ...(expiresAt !== undefined && { expiresAt }) }
    // The new record gets the new end, too.
    if (JSON.stringify(next) !== JSON.stringify(object)) await objects.create(next)
    return json(showCache(next))
  }

  return [list, retrieve, change, remove]
}

const mostOfPage = 1_000
const usualOfPage = 50

function readPage(query: string): RecordPage {
  const parameters = new URLSearchParams(query)
  const size = Number(parameters.get('pageSize') ?? usualOfPage)
  if (!Number.isInteger(size) || size < 0) throw wrong('pageSize', 'a whole number')
  const token = parameters.get('pageToken') ?? ''
  const after = token === '' ? undefined : idOf(family, token)
  if (after === '') throw wrong('pageToken', 'a token of a page before')
  return { limit: Math.min(size === 0 ? usualOfPage : size, mostOfPage), order: 'desc', after }
}
