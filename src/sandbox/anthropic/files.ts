import type { Account } from '../accounts.ts'
import { renderContent } from '../content.ts'
import { FaultError } from '../fault.ts'
import { newId } from '../ids.ts'
import { type JsonObject, isObject, numberOf, objectOf, objectsOf, textOf } from '../json.ts'
import { Problem, badRequest } from '../problem.ts'
import type { Call, Endpoint, Reply } from '../provider.ts'
import { integer, object } from '../shape.ts'
import type { StoredMessageFile } from '../stored.ts'
import { anthropic } from './provider.ts'
import { readVersion } from './version.ts'

const all = /^\/v1\/files$/
const one = /^\/v1\/files\/(?<id>[^/]+)$/
const shared = { provider: anthropic, applies: isAnthropic }

/** `/v1/files` and below for clients of Anthropic, for the account that has the files. */
export const messageFiles: Endpoint[] = [
  {
    ...shared,
    method: 'POST',
    path: all,
    hasBody: true,
    form: { expires_in_seconds: 'integer' },
    answer: create,
  },
  { ...shared, method: 'GET', path: all, hasBody: false, answer: list },
  {
    ...shared,
    method: 'GET',
    path: one,
    hasBody: false,
    answer: (call) => ({ json: render(find(call)) }),
  },
  { ...shared, method: 'DELETE', path: one, hasBody: false, answer: remove },
  {
    ...shared,
    method: 'GET',
    path: /^\/v1\/files\/(?<id>[^/]+)\/content$/,
    hasBody: false,
    answer: content,
  },
]

/** OpenAI's API has the same paths. */
function isAnthropic(headers: Call['headers']): boolean {
  return headers['anthropic-version'] !== undefined
}

const beta = 'files-api-2025-04-14'

/** Before the version 2026-10-21 files are a beta. Throws a 400. */
function checkVersion({ headers, query }: Call): void {
  const { version } = readVersion(headers, query)
  if (version >= '2026-10-21') return
  if ([headers['anthropic-beta'] ?? []].flat().join(',').includes(beta)) return
  throw badRequest(`anthropic-beta: this endpoint needs ${beta}`)
}

const createRequest = object({
  omittable: { expires_in_seconds: integer({ min: 3_600, max: 7_776_000 }) },
})

const mostBytes = 500 * 1024 * 1024

function create(call: Call): Reply {
  const { account, body, form } = call
  checkVersion(call)
  createRequest(body, [])
  const [file, other] = form?.files ?? []
  if (!file) throw new FaultError({ kind: 'missing', path: ['file'] })
  const wrong = file.name === 'file' ? other : file
  if (wrong) throw new FaultError({ kind: 'unknown', path: [wrong.name] })
  if (file.size > mostBytes) throw new Problem(413, 'File exceeds the maximum size of 500 MB.')
  if (/[<>:"|?*\\/\p{Cc}]/u.test(file.filename ?? ''))
    throw badRequest('file: Filename contains forbidden characters')
  const seconds = numberOf(body['expires_in_seconds'])
  const stored: StoredMessageFile = {
    id: newId('file_'),
    createdAt: Date.now(),
    filename: file.filename || 'unnamed',
    type: file.type ?? 'application/octet-stream',
    size: file.size,
    head: file.head,
    expiresAt: seconds === undefined ? undefined : Date.now() + seconds * 1_000,
    isMade: false,
  }
  account.messageFiles.put(stored.id, stored, 1024 + stored.head.length)
  return { json: render(stored) }
}

const mostOfPage = 1_000

function list(call: Call): Reply {
  checkVersion(call)
  const { account, query } = call
  const limit = Number(query.get('limit') ?? 20)
  integer({ min: 1, max: mostOfPage })(limit, ['limit'])
  const found = [...account.messageFiles.values()].toReversed()
  const after = query.get('page') ?? query.get('after_id')
  const from = after === null ? 0 : found.findIndex(({ id }) => id === after) + 1
  const data = found.slice(from, from + limit).map(render)
  const has_more = found.length > from + limit
  const [first_id = null, last_id = null] = [data[0]?.['id'], data.at(-1)?.['id']]
  return { json: { data, has_more, first_id, last_id, next_page: has_more ? last_id : null } }
}

function remove(call: Call): Reply {
  const { id } = find(call)
  call.account.messageFiles.delete(id)
  return { json: { id, type: 'file_deleted' } }
}

function content(call: Call): Reply {
  const { filename: name, head: bytes, type, isMade } = find(call)
  if (!isMade) {
    const details = { code: 'file_not_downloadable' }
    throw new Problem(400, 'Only files that a tool has made can be downloaded.', details)
  }
  return renderContent({ bytes, type, name }, call.headers.range)
}

function find(call: Call): StoredMessageFile {
  checkVersion(call)
  return fileOf(call.account, call.params['id'] ?? '')
}

/** Throws a 404 for an id that this account does not have. */
function fileOf(account: Account, id: string): StoredMessageFile {
  const file = account.messageFiles.get(id)
  if (!file) throw new Problem(404, `File not found: ${id}`)
  return file
}

function render(file: StoredMessageFile): JsonObject {
  const { id, createdAt, filename, type, size, expiresAt, isMade } = file
  return {
    type: 'file',
    id,
    filename,
    mime_type: type,
    size_bytes: size,
    created_at: new Date(createdAt).toISOString(),
    expires_at: expiresAt === undefined ? null : new Date(expiresAt).toISOString(),
    downloadable: isMade,
  }
}

/** Throws unless the account has each file that messages give to the model. */
export function checkFiles(messages: JsonObject[], account: Account): void {
  for (const { content: blocks } of messages) checkBlocks(blocks, account)
}

function checkBlocks(blocks: unknown, account: Account): void {
  for (const block of objectsOf(blocks)) {
    if (block['type'] === 'container_upload') fileOf(account, textOf(block['file_id']))
    const source = objectOf(block['source'])
    if (source['type'] === 'file') fileOf(account, textOf(source['file_id']))
    checkBlocks(source['content'], account)
    if (block['type'] === 'tool_result' || !isObject(block['content']))
      checkBlocks(block['content'], account)
  }
}
