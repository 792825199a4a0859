import type { Account } from '../../accounts.ts'
import { newId, nowInSeconds } from '../../ids.ts'
import { type JsonObject, listOf, numberOf, textOf } from '../../json.ts'
import { badRequest } from '../../problem.ts'
import type { Call, Endpoint, Reply } from '../../provider.ts'
import { choice, integer, list, object, string } from '../../shape.ts'
import type { StoredUpload } from '../../stored.ts'
import { uploadNotFound } from '../not-found.ts'
import { openai } from '../provider.ts'
import { fileOf, purpose, renderFile, storeFile } from './files.ts'

/** `/v1/uploads` and below: files in parts. */
export const uploads: Endpoint[] = [
  { provider: openai, method: 'POST', path: /^\/v1\/uploads$/, hasBody: true, answer: create },
  {
    provider: openai,
    method: 'POST',
    path: /^\/v1\/uploads\/(?<id>[^/]+)\/parts$/,
    hasBody: true,
    form: {},
    answer: addPart,
  },
  {
    provider: openai,
    method: 'POST',
    path: /^\/v1\/uploads\/(?<id>[^/]+)\/complete$/,
    hasBody: true,
    answer: complete,
  },
  {
    provider: openai,
    method: 'POST',
    path: /^\/v1\/uploads\/(?<id>[^/]+)\/cancel$/,
    hasBody: false,
    answer: cancel,
  },
]

const mostBytes = 8 * 1024 ** 3
const mostPartBytes = 64 * 1024 ** 2
const lifetimeSeconds = 3_600

const createRequest = object({
  required: {
    bytes: integer({ min: 1, max: mostBytes }),
    filename: string({ min: 1 }),
    mime_type: string({ min: 1 }),
    purpose,
  },
  omittable: {
    expires_after: object({
      required: {
        anchor: choice('created_at'),
        seconds: integer({ min: 3_600, max: 2_592_000 }),
      },
    }),
  },
})

const completeRequest = object({
  required: { part_ids: list(string(), { min: 1 }) },
  omittable: { md5: string() },
})

function create({ account, body }: Call): Reply {
  createRequest(body, [])
  const upload: StoredUpload = {
    id: newId('upload_'),
    createdAt: nowInSeconds(),
    filename: textOf(body['filename']),
    purpose: textOf(body['purpose']),
    size: numberOf(body['bytes']) ?? 0,
    status: 'pending',
    parts: new Map(),
    file: undefined,
  }
  account.uploads.put(upload.id, upload, 1024)
  return { json: render(upload) }
}

function addPart({ account, params, form }: Call): Reply {
  const upload = pending(account, params)
  const { size, head } = fileOf(form, 'data')
  if (size > mostPartBytes) throw badRequest('The part is larger than 64 MB.', 'data')
  const id = newId('part_')
  upload.parts.set(id, { size, head })
  const { createdAt: created_at } = upload
  return { json: { id, object: 'upload.part', created_at, upload_id: upload.id } }
}

function complete({ account, params, body }: Call): Reply {
  completeRequest(body, [])
  const upload = pending(account, params)
  const parts = listOf(body['part_ids']).map((id) => {
    const part = upload.parts.get(textOf(id))
    if (!part) throw badRequest(`Part '${textOf(id)}' is not of this upload.`, 'part_ids')
    return part
  })
  const size = parts.reduce((sum, part) => sum + part.size, 0)
  if (size !== upload.size)
    throw badRequest(`The parts have ${size} bytes, but the upload was to have ${upload.size}.`)
  const { filename } = upload
  const head = Buffer.concat(parts.map((part) => part.head)).subarray(0, 1024 ** 2)
  const facts = { filename, purpose: upload.purpose, size, head, expiresAt: undefined }
  upload.file = storeFile(account, facts)
  upload.status = 'completed'
  return { json: render(upload) }
}

function cancel({ account, params }: Call): Reply {
  const upload = pending(account, params)
  upload.status = 'cancelled'
  return { json: render(upload) }
}

function pending(account: Account, params: Record<string, string>): StoredUpload {
  const id = params['id'] ?? ''
  const upload = account.uploads.get(id)
  if (!upload) throw uploadNotFound(id)
  if (upload.status !== 'pending') throw badRequest(`The upload is ${upload.status}.`)
  return upload
}

function render({
  id,
  createdAt,
  filename,
  size,
  status,
  file,
  ...upload
}: StoredUpload): JsonObject {
  return {
    id,
    object: 'upload',
    bytes: size,
    created_at: createdAt,
    expires_at: createdAt + lifetimeSeconds,
    filename,
    purpose: upload.purpose,
    status,
    file: file ? renderFile(file) : null,
  }
}
