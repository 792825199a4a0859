import type { Call } from '../../../src/contract/call.ts'
import type { Authenticated, Routed } from '../../../src/contract/exchange.ts'
import type { AttemptPlan } from '../../../src/contract/attempt.ts'
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
import { fileOf, formIn } from '../shared/form-file.ts'
import {
  idOf,
  json as jsonReply,
  notFound,
  onObject,
  orNotFound,
  pathOf,
  planCreation,
  showObject,
  shownId,
} from '../shared/stored-objects.ts'
import { batchPurpose, createdFile, disclosing } from './create-file.ts'
import { type FilesDependencies, fileFamily, partFamily, uploadFamily } from './families.ts'
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
      async plan(exchange) {
        const outbound = createNativeRequest(exchange, { path: '/v1/uploads' })
        return planCreation(outbound, objects, (json) => {
          const object = created(exchange, json, { kind: 'upload' })
          return object && { object, shown: showObject(uploadFamily, object) }
        })
      },
    },
  })

  const addPart = onUpload({
    id: 'uploads.parts.create',
    action: '/parts',
    body: 'form',
    summary: 'Add a part to an upload',
    schema: { request: partRequestSchema, reply: partSchema },
    understand(_exchange, body) {
      fileOf(formIn(body), 'data')
      return {}
    },
    async plan(exchange) {
      const { upload } = exchange.call
      const path = pathOf(uploadFamily, upload.upstreamId, '/parts')
      return planCreation(createNativeRequest(exchange, { path }), objects, (json) => {
        const part = created(exchange, json, { kind: 'upload-part', partOf: upload.id })
        if (!part) return undefined
        const upload_id = shownId(uploadFamily, upload.id)
        const object = { ...part, expiresAt: upload.expiresAt, shown: { ...part.shown, upload_id } }
        return { object, shown: showObject(partFamily, object) }
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
      const path = pathOf(uploadFamily, upload.upstreamId, '/complete')
      let done: StoredObject | undefined
      const plan = planCreation(createNativeRequest(exchange, { path }), objects, (json) => {
        const { id: _id, file: made, ...shown } = json as JsonObject
        const object = made ? createdFile(exchange, made, parts) : undefined
        if (!object) return undefined
        const file = showObject(fileFamily, object)
        done = { ...upload, isOver: true, shown: { ...shown, file } }
        return { object, shown: showObject(uploadFamily, done), outcome: disclosing(object) }
      })
      return {
        ...plan,
        async persist() {
          await plan.persist?.()
          const next = done
          if (next) await objects.update(upload, () => next).catch(() => undefined)
        },
      }
    },
  })

  const cancel = onObject(uploadFamily, objects, {
    id: 'uploads.cancel',
    method: 'POST',
    action: '/cancel',
    body: 'optional',
    summary: 'Cancel an upload',
    schema: { reply: partedUploadSchema },
    async perform(_exchange, { object, candidate, accountClient, notFound: unknown }) {
      const call = {
        method: 'POST',
        path: pathOf(uploadFamily, object.upstreamId, '/cancel'),
      } as const
      const { json } = await accountClient.fetchJson(candidate, call).catch(orNotFound(unknown))
      const { id: _id, ...shown } = Object(json) as JsonObject
      const next = { ...object, shown: shownOf(shown), isOver: true } as const
      await objects.update(object, () => next)
      return jsonReply(showObject(uploadFamily, next))
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
        const unknown = () => notFound(uploadFamily, shownId(uploadFamily, id))
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
      const unknown = () => notFound(partFamily, id, 'part_ids')
      const name = ['upload-part', idOf(partFamily, id)] as const
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

  return [create, addPart, complete, cancel]
}
