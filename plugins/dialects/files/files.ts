import { defineOperation } from '../../../src/contract/operation.ts'
import type { Authenticated } from '../../../src/contract/exchange.ts'
import { type StoredObject, shownOf } from '../../../src/jobs/objects.ts'
import { isObject } from '../../../src/lib/json/object.ts'
import {
  type AtAccount,
  asDownload,
  json,
  onObject,
  orNotFound,
  pathOf,
  showObject,
  shownId,
  unlessNotFound,
} from '../shared/stored-objects.ts'
import { type FilesDependencies, fileFamily } from './families.ts'
import { listReply } from './page.ts'
import { deletedSchema, fileListSchema, fileSchema } from './schema.ts'

/** Defines the operations on files, besides the upload. */
export function fileOperations({ objects }: Pick<FilesDependencies, 'objects'>) {
  const list = defineOperation({
    id: 'files.list',
    method: 'GET',
    paths: ['/v1/files'],
    auth: 'key',
    body: 'none',
    summary: 'List the files of the key, page by page',
    schema: { reply: fileListSchema },
    async serve(exchange) {
      const { request } = exchange
      const purpose = new URLSearchParams(request.query).get('purpose')
      const wants = ({ shown }: StoredObject) => purpose === null || shown['purpose'] === purpose
      const options = { family: fileFamily, most: 10_000, usual: 10_000, wants } as const
      return listReply(exchange as Authenticated, objects, options)
    },
  })

  const retrieve = onObject(fileFamily, objects, {
    id: 'files.retrieve',
    method: 'GET',
    summary: 'Look up a file',
    schema: { reply: fileSchema },
    async perform(_exchange, at) {
      const shown = await describedBy(at)
      const { object } = at
      if (!shown) throw at.notFound()
      const { id: _id, ...rest } = shown
      const next = { ...object, shown: shownOf(rest) }
      if (JSON.stringify(next) !== JSON.stringify(object)) await objects.update(object, () => next)
      return json(showObject(fileFamily, next))
    },
  })

  const content = onObject(fileFamily, objects, {
    id: 'files.content',
    method: 'GET',
    action: '/content',
    summary: 'Download a file',
    replies: ['*/*'],
    async perform(_exchange, { object, candidate, accountClient, notFound: unknown }) {
      const place = {
        method: 'GET',
        path: pathOf(fileFamily, object.upstreamId, '/content'),
      } as const
      const reply = await accountClient.proxy(candidate, place).catch(orNotFound(unknown))
      return asDownload(reply, shownId(fileFamily, object.id))
    },
  })

  const remove = onObject(fileFamily, objects, {
    id: 'files.delete',
    method: 'DELETE',
    summary: 'Delete a file',
    schema: { reply: deletedSchema },
    async perform(_exchange, { object, candidate, accountClient }) {
      const call = { method: 'DELETE', path: pathOf(fileFamily, object.upstreamId) } as const
      await accountClient.fetchJson(candidate, call).catch(unlessNotFound)
      await objects.remove(object)
      return json({ id: shownId(fileFamily, object.id), object: 'file', deleted: true })
    },
  })
  return [list, retrieve, content, remove]
}

/** What the account says of an object. Rejects with its own error, and with `notFound()` where it does not know it. */
async function describedBy({
  object,
  candidate,
  accountClient,
  notFound: unknown,
}: AtAccount): Promise<Record<string, unknown> | undefined> {
  const call = { method: 'GET', path: pathOf(fileFamily, object.upstreamId) } as const
  const { json: found } = await accountClient.fetchJson(candidate, call).catch(orNotFound(unknown))
  return isObject(found) ? found : undefined
}
