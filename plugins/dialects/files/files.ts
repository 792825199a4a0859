import { type PerformOperation, defineOperation } from '../../../src/contract/operation.ts'
import type { AccountClient } from '../../../src/contract/operation.ts'
import { GatewayError } from '../../../src/contract/errors.ts'
import type { Authenticated, Understood } from '../../../src/contract/exchange.ts'
import type { Candidate } from '../../../src/contract/candidate.ts'
import type { Reply } from '../../../src/contract/outcome.ts'
import { fillPath } from '../../../src/kit/account-path.ts'
import { aboutJob } from '../../../src/jobs/job.ts'
import { type StoredObject, ownObject, shownOf } from '../../../src/jobs/objects.ts'
import { accountOf } from '../../../src/jobs/owner.ts'
import { isObject } from '../../../src/lib/json/object.ts'
import type { FilesDependencies } from './parts.ts'
import { listReply } from './page.ts'
import { type FilesKind, json, notFound, prefixes, showObject, shownId } from './reply.ts'
import { deletedSchema, fileListSchema, fileSchema } from './schema.ts'

/** The account of an object, and how it is asked. */
export interface AtAccount {
  readonly object: StoredObject
  readonly candidate: Candidate
  readonly accountClient: AccountClient
  /** The error for an object that the account does not know any more. */
  readonly notFound: () => GatewayError
}

interface ObjectSettings extends Pick<
  PerformOperation,
  'id' | 'method' | 'summary' | 'schema' | 'replies' | 'body'
> {
  readonly kind: FilesKind
  /** Behind the id in the path. */
  readonly action?: string
  perform(exchange: Understood, at: AtAccount): Promise<Reply>
}

const folders: Readonly<Record<FilesKind, string>> = {
  file: '/v1/files/',
  batch: '/v1/batches/',
  upload: '/v1/uploads/',
  'upload-part': '/v1/uploads/parts/',
}

/** Returns the path of an object at its account. */
export function pathOf({ kind, upstreamId }: StoredObject, action = ''): string {
  return fillPath(`${folders[kind as FilesKind]}{id}${action}`, { id: upstreamId })
}

/** Defines an operation on an object of the caller, which asks its account by look-ups. */
export function onObject(
  { objects }: FilesDependencies,
  { kind, action = '', perform, ...shape }: ObjectSettings,
) {
  return defineOperation({
    ...shape,
    body: shape.body ?? 'none',
    paths: [`${folders[kind]}${prefixes[kind]}{id}${action}`],
    auth: 'key',
    capability: kind === 'batch' ? 'stored-batch' : 'stored-file',
    understand: () => aboutJob,
    async perform(exchange, _send, accountClient: AccountClient) {
      const { id = '' } = exchange.params
      const unknown = () => notFound(kind, shownId(kind, id))
      const object = await ownObject(exchange, objects, [kind, id], unknown)
      const candidate = accountOf(exchange, object, kind)
      return perform(exchange, { object, candidate, accountClient, notFound: unknown })
    },
  })
}

/** Defines the operations on files, besides the upload. */
export function fileOperations(parts: FilesDependencies) {
  const { objects } = parts
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
      const options = { kind: 'file', most: 10_000, usual: 10_000, wants } as const
      return listReply(exchange as Authenticated, objects, options)
    },
  })

  const retrieve = onObject(parts, {
    id: 'files.retrieve',
    method: 'GET',
    kind: 'file',
    summary: 'Look up a file',
    schema: { reply: fileSchema },
    async perform(_exchange, at) {
      const shown = await describedBy(at)
      const { object } = at
      if (!shown) throw at.notFound()
      const { id: _id, ...rest } = shown
      const next = { ...object, shown: shownOf(rest) }
      if (JSON.stringify(next) !== JSON.stringify(object)) await objects.update(object, () => next)
      return json(showObject(next))
    },
  })

  const content = onObject(parts, {
    id: 'files.content',
    method: 'GET',
    kind: 'file',
    action: '/content',
    summary: 'Download a file',
    replies: ['*/*'],
    async perform(_exchange, { object, candidate, accountClient, notFound: unknown }) {
      const place = { method: 'GET', path: pathOf(object, '/content') } as const
      const reply = await accountClient.proxy(candidate, place).catch(orNotFound(unknown))
      return asDownload(reply, shownId('file', object.id))
    },
  })

  const remove = onObject(parts, {
    id: 'files.delete',
    method: 'DELETE',
    kind: 'file',
    summary: 'Delete a file',
    schema: { reply: deletedSchema },
    async perform(_exchange, { object, candidate, accountClient }) {
      const call = { method: 'DELETE', path: pathOf(object) } as const
      await accountClient.fetchJson(candidate, call).catch(unlessNotFound)
      await objects.remove(object)
      return json({ id: shownId('file', object.id), object: 'file', deleted: true })
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
  const call = { method: 'GET', path: pathOf(object) } as const
  const { json: found } = await accountClient.fetchJson(candidate, call).catch(orNotFound(unknown))
  return isObject(found) ? found : undefined
}

/** Turns a 404 of the account into the gateway's own error, which does not name the account's id. */
export function orNotFound(unknown: () => GatewayError): (error: unknown) => never {
  return (error) => {
    throw isNotFound(error) ? unknown() : error
  }
}

/** Ignores a 404 of the account, which means that the object is already deleted there. */
function unlessNotFound(error: unknown): undefined {
  if (!isNotFound(error)) throw error
}

function isNotFound(error: unknown): boolean {
  return GatewayError.isInstance(error) && error.upstream?.status === 404
}

/** A file of an account, which keeps browsers from running it, because it comes from the gateway's own origin. */
function asDownload(reply: Reply, id: string): Reply {
  return {
    ...reply,
    headers: {
      'content-type': 'application/octet-stream',
      ...reply.headers,
      // The account's own name of a file may contain its id, which clients must not see.
      'content-disposition': `attachment; filename="${id}"`,
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    },
  }
}
