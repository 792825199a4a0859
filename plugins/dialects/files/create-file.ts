import type { Form, FormPart, RequestBody } from '../../../src/contract/body.ts'
import type { Call } from '../../../src/contract/call.ts'
import type { Authenticated, Routed } from '../../../src/contract/exchange.ts'
import { defineOperation } from '../../../src/contract/operation.ts'
import type { Outcome } from '../../../src/contract/outcome.ts'
import { type StoredObject, isUsableId, newObject, shownOf } from '../../../src/jobs/objects.ts'
import type { JsonObject } from '../../../src/lib/json/object.ts'
import { numberAt, stringAt } from '../../../src/lib/json/read.ts'
import { wholeSeconds } from '../../../src/lib/time.ts'
import { createNativeRequest } from '../../../src/upstream/native.ts'
import { type BatchRequests, callOf, modelEdits } from '../shared/batch-requests.ts'
import { fileOf, formIn, missing } from '../shared/form-file.ts'
import { accountFilesOf, planCreation, showObject } from '../shared/stored-objects.ts'
import { readLines } from './lines.ts'
import { type FilesDependencies, fileFamily } from './families.ts'
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
        const outbound = createNativeRequest({ ...exchange, call }, { path })
        return planCreation(outbound, parts.objects, (json) => {
          const object = createdFile(exchange, json, parts, lines)
          return (
            object && { object, shown: showObject(fileFamily, object), outcome: disclosing(object) }
          )
        })
      },
    },
  })

  async function withLines(
    exchange: Authenticated,
    form: Form,
    file: FormPart,
    call: Call,
  ): Promise<UploadCall> {
    const files = accountFilesOf(fileFamily, parts.objects)
    const lines = await readLines(exchange, form, file, { dialects: parts.dialects(), files })
    return { ...call, ...callOf(lines, 'file'), lines }
  }
}

/** The outcome of a request that has created a file: its id at the account is the key's, too. */
export function disclosing({ upstreamId }: StoredObject): Pick<Outcome, 'discloses'> {
  return { discloses: [{ kind: 'file', id: upstreamId }] }
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
function formOf(body: RequestBody): FileForm {
  const form = formIn(body)
  const purpose = form.text('purpose')
  if (purpose === undefined || purpose.trim() === '') throw missing('purpose')
  return { form, file: fileOf(form, 'file'), purpose }
}
