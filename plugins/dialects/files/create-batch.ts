import type { RequestBody } from '../../../src/contract/body.ts'
import type { Call } from '../../../src/contract/call.ts'
import { GatewayError } from '../../../src/contract/errors.ts'
import type { Authenticated, Routed } from '../../../src/contract/exchange.ts'
import { defineOperation } from '../../../src/contract/operation.ts'
import { checkObject, requireString, wrong } from '../../../src/kit/checks.ts'
import { resolveModel } from '../../../src/kit/models.ts'
import { orderJob } from '../../../src/jobs/job.ts'
import {
  type StoredObject,
  isUsableId,
  newObject,
  ownObject,
  recordWork,
  shownOf,
} from '../../../src/jobs/objects.ts'
import { pinTo } from '../../../src/jobs/owner.ts'
import { stringAt } from '../../../src/lib/json/read.ts'
import { createNativeRequest } from '../../../src/upstream/native.ts'
import { othersIn } from '../shared/batch-requests.ts'
import { idOf, notFound, planCreation, showObject, shownId } from '../shared/stored-objects.ts'
import { batchOf } from './batch-state.ts'
import { batchPurpose } from './create-file.ts'
import { type FilesDependencies, batchFamily, fileFamily } from './families.ts'
import { ofLine } from './lines.ts'
import { batchRequestSchema, batchSchema } from './schema.ts'

/** A call with the file whose requests it orders. */
interface BatchCall extends Call {
  readonly input: StoredObject
}

const path = '/v1/batches'
const field = 'input_file_id'

/** Defines `POST /v1/batches`, which only the account of the file can serve. */
export function createBatch(parts: FilesDependencies) {
  const { objects, now } = parts
  return defineOperation<BatchCall>({
    id: 'batches.create',
    method: 'POST',
    paths: [path],
    auth: 'key',
    capability: 'batch',
    summary: 'Order the requests of a file, which are served within a day',
    schema: { request: batchRequestSchema, reply: batchSchema },
    async understand(exchange, body) {
      const { json } = body
      const shown = requireString(json, field)
      requireString(json, 'endpoint')
      requireString(json, 'completion_window')
      checkObject(json, 'metadata')
      const unknown = () => notFound(fileFamily, shown, field)
      const input = await ownObject(exchange, objects, ['file', idOf(fileFamily, shown)], unknown)
      const { work } = input
      if (!work) throw wrong(field, `the id of a file with the purpose \`${batchPurpose}\``)
      const model = work.models[0]?.name ?? ''
      const pin = pinTo(input, 'file')
      const edits = [idEdit(body, input)]
      const call = { ...orderJob, model, pin, work, ...othersIn(work, field), input, edits }
      checkModels(exchange, call)
      return call
    },
    forward: {
      billed: 'job',
      async plan(exchange) {
        return planCreation(createNativeRequest(exchange, { path }), objects, (json) => {
          const object = createdBatch(exchange, json, now())
          if (!object) return undefined
          recordWork(exchange, object)
          const { id, upstreamId } = object
          const produced = {
            kind: 'batch',
            id: shownId(batchFamily, id),
            upstreamId,
            model: exchange.model.name,
          }
          return { object, shown: showObject(batchFamily, object), outcome: { produced } }
        })
      },
    },
  })
}

function idEdit({ members }: RequestBody, { upstreamId }: StoredObject) {
  const at = members.get(field)
  if (!at) throw new Error('The body has lost its file.')
  return { ...at, text: JSON.stringify(upstreamId) }
}

/** Throws `GatewayError` with the line of a model that the key may not use any more. */
function checkModels(exchange: Authenticated, call: BatchCall): void {
  for (const { name, line } of call.work?.models ?? []) {
    try {
      resolveModel(exchange, { ...call, model: name })
    } catch (error) {
      throw GatewayError.isInstance(error) ? ofLine(error, line) : error
    }
  }
}

/** The batch that an account has created. */
function createdBatch(
  exchange: Routed & { readonly call: BatchCall },
  json: unknown,
  now: number,
): StoredObject | undefined {
  const upstreamId = stringAt(json, 'id')
  if (!isUsableId(upstreamId)) return undefined
  const { candidate, call } = exchange
  const ids = { input: shownId(fileFamily, call.input.id), output: null, error: null }
  const shown = shownOf(batchOf(json as object, ids))
  const { work } = call.input
  const created = { kind: 'batch', upstreamId, shown, ...(work && { work }) } as const
  return newObject(exchange, candidate, created, now)
}
