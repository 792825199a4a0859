import type { Call } from '../../../src/contract/call.ts'
import { GatewayError } from '../../../src/contract/errors.ts'
import type { Authenticated, Routed } from '../../../src/contract/exchange.ts'
import type { AttemptPlan } from '../../../src/contract/attempt.ts'
import type { Outbound } from '../../../src/contract/outbound.ts'
import { type ForwardOperation, defineOperation } from '../../../src/contract/operation.ts'
import { checkStrings, requireField, requireString, wrong } from '../../../src/kit/checks.ts'
import {
  type CreatedObject,
  type StoredObject,
  isUsableId,
  newObject,
  ownObject,
  shownOf,
} from '../../../src/jobs/objects.ts'
import { pinTo } from '../../../src/jobs/owner.ts'
import type { JsonObject } from '../../../src/lib/json/object.ts'
import { numberAt, stringAt } from '../../../src/lib/json/read.ts'
import { wholeSeconds } from '../../../src/lib/time.ts'
import { createNativeRequest } from '../../../src/upstream/native.ts'
import { batchPurpose, createdFile, fileOf, noStream } from './create-file.ts'
import { onObject, orNotFound, pathOf } from './files.ts'
import type { FilesDependencies } from './parts.ts'
import { idOf, json as jsonReply, notFound, showObject, shownId, unreadable } from './reply.ts'
import {
  completeSchema,
  newUploadSchema,
  partRequestSchema,
  partSchema,
  partedUploadSchema,
} from './schema.ts'

/** A call about an upload. */
interface UploadCall extends Call {
  readonly upload: StoredObject
}

const noModel: Call = {
  model: '',
  stream: false,
  refersTo: [],
  edits: [],
  losses: [],
  finishWithoutClient: true,
}

/** How long an upload lives if its account does not say it, in seconds (docs/wire/openai.md 8). */
const usualSeconds = 3_600

/** The most parts that one request names. */
const mostParts = 10_000

/** Defines the operations on uploads in parts. */
export function uploadOperations(parts: FilesDependencies) {
  const { objects, now } = parts

  const create = defineOperation({
    id: 'uploads.begin',
    method: 'POST',
    paths: ['/v1/uploads'],
    auth: 'key',
    capability: 'stored-file',
    summary: 'Begin an upload in parts',
    schema: { request: newUploadSchema, reply: partedUploadSchema },
    understand(_exchange, { json }) {
      const purpose = requireString(json, 'purpose')
      requireString(json, 'filename')
      requireString(json, 'mime_type')
      requireField(json, 'bytes')
      if (purpose !== batchPurpose) return noModel
      // Its lines would be in several parts, and each is to be checked.
      throw wrong('purpose', 'another one than `batch`: send such a file to `POST /v1/files`')
    },
    forward: {
      billed: 'reply',
      plan: (exchange) =>
        planOf(exchange, createNativeRequest(exchange, { path: '/v1/uploads' }), (json) =>
          created(exchange, json, { kind: 'upload' }),
        ),
    },
  })

  const addPart = onUpload({
    id: 'uploads.parts.create',
    action: '/parts',
    body: 'form',
    summary: 'Add a part to an upload',
    schema: { request: partRequestSchema, reply: partSchema },
    understand(_exchange, { form }) {
      if (!form) {
        const message = 'Send this request as multipart/form-data.'
        throw new GatewayError('unsupported_media_type', message)
      }
      fileOf(form, 'data')
      return {}
    },
    async plan(exchange) {
      const { upload } = exchange.call
      const outbound = createNativeRequest(exchange, { path: pathOf(upload, '/parts') })
      return planOf(exchange, outbound, (json) => {
        const part = created(exchange, json, { kind: 'upload-part', partOf: upload.id })
        const upload_id = shownId('upload', upload.id)
        const { expiresAt } = upload
        return part && { ...part, expiresAt, shown: { ...part.shown, upload_id } }
      })
    },
  })

  const complete = onUpload({
    id: 'uploads.complete',
    action: '/complete',
    summary: 'Make a file of the parts of an upload',
    schema: { request: completeSchema, reply: partedUploadSchema },
    async understand(exchange, { json, members }) {
      requireField(json, 'part_ids')
      checkStrings(json, 'part_ids', mostParts)
      const at = members.get('part_ids')!
      const ids = await partIds(exchange, json['part_ids'] as string[])
      return { edits: [{ ...at, text: JSON.stringify(ids) }] }
    },
    async plan(exchange) {
      const { upload } = exchange.call
      const outbound = createNativeRequest(exchange, { path: pathOf(upload, '/complete') })
      let file: StoredObject | undefined
      let done: StoredObject | undefined
      return {
        outbound,
        observer: noStream,
        read(json) {
          const { id: _id, file: made, ...shown } = json as JsonObject
          file = made ? createdFile(exchange, made, parts) : undefined
          if (!file) return unreadable
          const discloses = [{ kind: 'file', id: file.upstreamId }] as const
          done = { ...upload, isOver: true, shown: { ...shown, file: showObject(file) } }
          return {
            outcome: { status: 'completed', fault: 'none', discloses },
            status: 200,
            body: Buffer.from(JSON.stringify(showObject(done))),
          }
        },
        async persist() {
          if (!file || !done) return
          await objects.create(file)
          const next = done
          await objects.update(upload, () => next).catch(() => undefined)
        },
      }
    },
  })

  const cancel = onObject(parts, {
    id: 'uploads.cancel',
    method: 'POST',
    kind: 'upload',
    action: '/cancel',
    body: 'optional',
    summary: 'Cancel an upload',
    schema: { reply: partedUploadSchema },
    async perform(_exchange, { object, candidate, accountClient, notFound: unknown }) {
      const call = { method: 'POST', path: pathOf(object, '/cancel') } as const
      const { json } = await accountClient.fetchJson(candidate, call).catch(orNotFound(unknown))
      const { id: _id, ...shown } = Object(json) as JsonObject
      const next = { ...object, shown: shownOf(shown), isOver: true } as const
      await objects.update(object, () => next)
      return jsonReply(showObject(next))
    },
  })

  interface UploadSettings
    extends
      Pick<ForwardOperation, 'id' | 'summary' | 'schema' | 'body'>,
      Pick<{ readonly action: string }, 'action'> {
    understand(
      exchange: Authenticated,
      body: Parameters<ForwardOperation['understand']>[1],
    ): Partial<Call> | Promise<Partial<Call>>
    plan(exchange: Routed & { readonly call: UploadCall }): Promise<AttemptPlan>
  }

  /** Defines an operation that the account of an upload serves. */
  function onUpload({ action, understand, plan, ...shape }: UploadSettings) {
    return defineOperation<UploadCall>({
      ...shape,
      method: 'POST',
      paths: [`/v1/uploads/upload_{id}${action}`],
      auth: 'key',
      capability: 'stored-file',
      async understand(exchange, body) {
        const { id = '' } = exchange.params
        const unknown = () => notFound('upload', shownId('upload', id))
        const upload = await ownObject(exchange, objects, ['upload', id], unknown)
        const own = await understand(exchange, body)
        return { ...noModel, pin: pinTo(upload, 'upload'), upload, ...own }
      },
      forward: { billed: 'reply', plan },
    })
  }

  /** The account's ids of the parts of the upload in the path. Rejects with `GatewayError` 404. */
  async function partIds(exchange: Authenticated, ids: readonly string[]): Promise<string[]> {
    const found: string[] = []
    for (const id of ids) {
      const unknown = () => notFound('upload-part', id, 'part_ids')
      const name = ['upload-part', idOf('upload-part', id)] as const
      const part = await ownObject(exchange, objects, name, unknown)
      if (part.partOf !== exchange.params['id']) throw unknown()
      found.push(part.upstreamId)
    }
    return found
  }

  function created(
    exchange: Routed,
    json: unknown,
    about: Pick<CreatedObject, 'kind' | 'partOf'>,
  ): StoredObject | undefined {
    const upstreamId = stringAt(json, 'id')
    if (!isUsableId(upstreamId)) return undefined
    const { id: _id, ...shown } = json as JsonObject
    const usual = Math.floor(now() / 1_000) + usualSeconds
    const expiresAt = wholeSeconds(numberAt(json, 'expires_at')) ?? usual
    const object = { ...about, upstreamId, shown: shownOf(shown), expiresAt }
    return newObject(exchange, exchange.candidate, object, now())
  }

  async function planOf(
    _exchange: Routed,
    outbound: Outbound,
    read: (json: unknown) => StoredObject | undefined,
  ): Promise<AttemptPlan> {
    let object: StoredObject | undefined
    return {
      outbound,
      observer: noStream,
      read(json) {
        object = read(json)
        if (!object) return unreadable
        return {
          outcome: { status: 'completed', fault: 'none' },
          status: 200,
          body: Buffer.from(JSON.stringify(showObject(object))),
        }
      },
      persist: () => object && objects.create(object),
    }
  }

  return [create, addPart, complete, cancel]
}
