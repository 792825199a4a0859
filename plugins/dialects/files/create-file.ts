import type { Form, FormPart, RequestBody } from '../../../src/contract/body.ts'
import type { Call } from '../../../src/contract/call.ts'
import { GatewayError } from '../../../src/contract/errors.ts'
import type { Authenticated, Routed } from '../../../src/contract/exchange.ts'
import { defineOperation } from '../../../src/contract/operation.ts'
import { wrong } from '../../../src/kit/checks.ts'
import { type StoredObject, isUsableId, newObject, shownOf } from '../../../src/jobs/objects.ts'
import type { JsonObject } from '../../../src/lib/json/object.ts'
import { numberAt, stringAt } from '../../../src/lib/json/read.ts'
import { wholeSeconds } from '../../../src/lib/time.ts'
import { createNativeRequest } from '../../../src/upstream/native.ts'
import { plainName } from '../shared/form-values.ts'
import { accountFilesOf } from './account-files.ts'
import { type BatchRequests, callOf, modelEdits } from '../shared/batch-requests.ts'
import { readLines } from './lines.ts'
import type { FilesDependencies } from './parts.ts'
import { showObject, unreadable } from './reply.ts'
import { fileSchema, uploadSchema } from './schema.ts'

/** A call with the requests of the file, if it is one of a batch. */
interface UploadCall extends Call {
  readonly lines?: BatchRequests
}

const path = '/v1/files'

/** The purpose of files whose lines are requests. */
export const batchPurpose = 'batch'

/** Defines `POST /v1/files`. */
export function createFile(parts: FilesDependencies) {
  return defineOperation<UploadCall>({
    id: 'files.create',
    method: 'POST',
    paths: [path],
    auth: 'key',
    body: 'form',
    capability: 'stored-file',
    summary: 'Upload a file to an account',
    schema: { request: uploadSchema, reply: fileSchema },
    async understand(exchange, body) {
      const { form, file, purpose } = formOf(body)
      const call = { model: '', stream: false, refersTo: [], edits: [], losses: [] }
      // An account that has the file keeps it, whether or not the client waits for its id.
      const upload = { ...call, finishWithoutClient: true }
      return purpose === batchPurpose ? withLines(exchange, form, file, upload) : upload
    },
    forward: {
      billed: 'reply',
      async plan(exchange) {
        const { lines } = exchange.call
        const edits = lines ? [...lines.edits, ...modelEdits(exchange, lines)] : []
        const call = { ...exchange.call, edits }
        let object: StoredObject | undefined
        return {
          outbound: createNativeRequest({ ...exchange, call }, { path }),
          observer: noStream,
          read(json) {
            object = createdFile(exchange, json, parts, lines)
            if (!object) return unreadable
            const { upstreamId } = object
            return {
              outcome: {
                status: 'completed',
                fault: 'none',
                discloses: [{ kind: 'file', id: upstreamId }],
              },
              status: 200,
              body: Buffer.from(JSON.stringify(showObject(object))),
            }
          },
          persist: () => object && parts.objects.create(object),
        }
      },
    },
  })

  async function withLines(
    exchange: Authenticated,
    form: Form,
    file: FormPart,
    call: Call,
  ): Promise<UploadCall> {
    const files = accountFilesOf(parts.objects)
    const lines = await readLines(exchange, form, file, { dialects: parts.dialects(), files })
    return { ...call, ...callOf(lines), lines }
  }
}

/** An account has no stream of such an operation. */
export function noStream(): never {
  throw new Error('The reply is not a stream.')
}

/** The file that an account has created. */
export function createdFile(
  exchange: Routed,
  json: unknown,
  { now }: Pick<FilesDependencies, 'now'>,
  lines?: Pick<BatchRequests, 'work'>,
): StoredObject | undefined {
  const upstreamId = stringAt(json, 'id')
  if (!isUsableId(upstreamId)) return undefined
  const { id: _id, ...shown } = json as JsonObject
  const created = {
    kind: 'file',
    upstreamId,
    shown: shownOf(shown),
    expiresAt: wholeSeconds(numberAt(json, 'expires_at')),
    ...(lines && { work: lines.work }),
  } as const
  return newObject(exchange, exchange.candidate, created, now())
}

interface FileForm {
  readonly form: Form
  readonly file: FormPart
  readonly purpose: string
}

/**
 * Returns the parts of the form. Throws `GatewayError` 400 for a form in which an account could find another file than
 * the one that is checked.
 */
function formOf({ form }: RequestBody): FileForm {
  if (!form) {
    throw new GatewayError('unsupported_media_type', 'Send this request as multipart/form-data.')
  }
  const purpose = form.text('purpose')
  if (purpose === undefined || purpose.trim() === '') throw missing('purpose')
  return { form, file: fileOf(form, 'file'), purpose }
}

/** The one file of a form. Throws `GatewayError` 400 for none, and for more than one. */
export function fileOf(form: Form, name: string): FormPart {
  const files = form.parts.filter(
    (part) => part.filename !== undefined || plainName(part.name) === name,
  )
  const [file] = files
  if (!file) throw missing(name)
  if (files.length > 1 || file.name !== name || file.filename === undefined)
    throw wrong(name, 'one file, with exactly this name')
  return file
}

function missing(param: string): GatewayError {
  return new GatewayError('missing_required_parameter', `\`${param}\` is required.`, { param })
}
