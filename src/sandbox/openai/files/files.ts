import type { Account } from '../../accounts.ts'
import { renderContent } from '../../content.ts'
import { FaultError } from '../../fault.ts'
import type { Form, FormFile } from '../../form/form.ts'
import { newId, nowInSeconds } from '../../ids.ts'
import { type JsonObject, isObject, textOf } from '../../json.ts'
import { badRequest } from '../../problem.ts'
import type { Call, Endpoint, Reply } from '../../provider.ts'
import { choice, object, string } from '../../shape.ts'
import type { StoredFile } from '../../stored.ts'
import { fileNotFound } from '../not-found.ts'
import { renderList } from '../paging.ts'
import { openai } from '../provider.ts'

const all = /^\/v1\/files$/
const one = /^\/v1\/files\/(?<id>[^/]+)$/

/** `/v1/files` and below, for the account that has the files. */
export const files: Endpoint[] = [
  {
    provider: openai,
    method: 'POST',
    path: all,
    applies: isOpenAi,
    hasBody: true,
    form: {},
    answer: create,
  },
  { provider: openai, method: 'GET', path: all, applies: isOpenAi, hasBody: false, answer: list },
  { provider: openai, method: 'GET', path: one, applies: isOpenAi, hasBody: false, answer: show },
  {
    provider: openai,
    method: 'DELETE',
    path: one,
    applies: isOpenAi,
    hasBody: false,
    answer: remove,
  },
  {
    provider: openai,
    method: 'GET',
    path: /^\/v1\/files\/(?<id>[^/]+)\/content$/,
    applies: isOpenAi,
    hasBody: false,
    answer: content,
  },
]

/** Anthropic's API has the same paths. */
function isOpenAi(headers: Call['headers']): boolean {
  return headers['anthropic-version'] === undefined
}

/** The purposes that a client may give a file. */
export const purpose = choice('assistants', 'batch', 'fine-tune', 'vision', 'user_data', 'evals')

/** In a form, the number is a text. */
const expiresAfter = object({
  required: { anchor: choice('created_at'), seconds: string({ pattern: /^\d+$/ }) },
})

const createRequest = object({
  required: { purpose },
  omittable: { expires_after: expiresAfter },
})

const mostBytes = 512 * 1024 * 1024
const mostBatchBytes = 200 * 1024 * 1024
const [leastSeconds, mostSeconds] = [3_600, 2_592_000]

function create({ account, body, form }: Call): Reply {
  createRequest(body, [])
  const file = fileOf(form, 'file')
  const wanted = textOf(body['purpose'])
  if (file.size > (wanted === 'batch' ? mostBatchBytes : mostBytes))
    throw badRequest('File is too large.', 'file')
  if (wanted === 'batch' && !file.filename?.endsWith('.jsonl'))
    throw badRequest('Invalid file format for Batch API. Must be .jsonl', 'file')
  const after = isObject(body['expires_after'])
    ? Number(body['expires_after']['seconds'])
    : undefined
  const stored = storeFile(account, {
    filename: file.filename ?? '',
    purpose: wanted,
    size: file.size,
    head: file.head,
    expiresAt: after === undefined ? undefined : nowInSeconds() + checkedSeconds(after),
  })
  return { json: renderFile(stored) }
}

function checkedSeconds(seconds: number): number {
  const path = ['expires_after', 'seconds']
  const fault = { kind: 'limit', path, of: 'number', actual: seconds } as const
  if (seconds < leastSeconds) throw new FaultError({ ...fault, bound: 'min', limit: leastSeconds })
  if (seconds > mostSeconds) throw new FaultError({ ...fault, bound: 'max', limit: mostSeconds })
  return seconds
}

/** The one file of a form, by the name of its part. Throws a 400. */
export function fileOf(form: Form | undefined, name: string): FormFile {
  const [file, other] = form?.files ?? []
  if (!file) throw new FaultError({ kind: 'missing', path: [name] })
  const wrong = file.name === name ? other : file
  if (wrong) throw new FaultError({ kind: 'unknown', path: [wrong.name] })
  return file
}

/** Stores a file. */
export function storeFile(
  account: Account,
  facts: Omit<StoredFile, 'id' | 'createdAt'>,
): StoredFile {
  const file = { id: newId('file-'), createdAt: nowInSeconds(), ...facts }
  account.storedFiles.put(file.id, file, 1024 + file.head.length)
  return file
}

/** Finds a file. Throws a 404 for an id that this account does not have. */
export function findFile(account: Account, id: string): StoredFile {
  const file = account.storedFiles.get(id)
  if (!file) throw fileNotFound(id)
  return file
}

/** Renders a file object. */
export function renderFile(file: StoredFile): JsonObject {
  const { id, createdAt, filename, size, expiresAt } = file
  return {
    object: 'file',
    id,
    purpose: file.purpose,
    filename,
    bytes: size,
    created_at: createdAt,
    expires_at: expiresAt ?? null,
    status: 'processed',
    status_details: null,
  }
}

function list({ account, query }: Call): Reply {
  const wanted = query.get('purpose')
  const found = [...account.storedFiles.values()]
    .filter((file) => wanted === null || file.purpose === wanted)
    .toReversed()
  return { json: renderList(found.map(renderFile)) }
}

function show({ account, params }: Call): Reply {
  return { json: renderFile(findFile(account, params['id'] ?? '')) }
}

function remove({ account, params }: Call): Reply {
  const { id } = findFile(account, params['id'] ?? '')
  account.storedFiles.delete(id)
  return { json: { object: 'file', id, deleted: true } }
}

function content({ account, params, headers }: Call): Reply {
  const file = findFile(account, params['id'] ?? '')
  if (file.purpose === 'user_data' || file.purpose === 'assistants')
    throw badRequest(`Not allowed to download files of purpose: ${file.purpose}`)
  if (file.size > file.head.length)
    throw badRequest('sandbox: only the first mebibyte of a file is stored')
  const { filename: name, head: bytes } = file
  return renderContent({ bytes, type: 'application/octet-stream', name }, headers.range)
}
