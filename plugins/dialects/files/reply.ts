import { GatewayError } from '../../../src/contract/errors.ts'
import type { Reply } from '../../../src/contract/outcome.ts'
import type { ReadReply } from '../../../src/contract/attempt.ts'
import type { ObjectKind, StoredObject } from '../../../src/jobs/objects.ts'

/** The kinds of this dialect's objects. */
export type FilesKind = Extract<ObjectKind, 'file' | 'batch' | 'upload' | 'upload-part'>

/** The prefixes of ids. `FileFields.idPrefix` of dialects whose requests name files repeats the prefix of files. */
export const prefixes: Readonly<Record<FilesKind, string>> = {
  file: 'file-',
  batch: 'batch_',
  upload: 'upload_',
  'upload-part': 'part_',
}

const names: Readonly<Record<FilesKind, string>> = {
  file: 'File',
  batch: 'Batch',
  upload: 'Upload',
  'upload-part': 'Part',
}

/** Returns the id of an object for clients. */
export function shownId(kind: FilesKind, id: string): string {
  return prefixes[kind] + id
}

/** Returns the id of an object by its id for clients; `''` if the text is no such id. */
export function idOf(kind: FilesKind, shown: string): string {
  return shown.startsWith(prefixes[kind]) ? shown.slice(prefixes[kind].length) : ''
}

/** Returns an object as clients see it. */
export function showObject({ kind, id, shown }: StoredObject): object {
  return { id: shownId(kind as FilesKind, id), ...shown }
}

/** In characters. */
const longestShown = 200

/** Returns the same error for unknown, expired and other keys' objects. `param`: the field that names it. */
export function notFound(kind: FilesKind, shown: string, param?: string): GatewayError {
  const id = shown.length > longestShown ? `${shown.slice(0, longestShown)}...` : shown
  const message = `${names[kind]} with id '${id}' not found.`
  return new GatewayError('not_found', message, param === undefined ? {} : { param })
}

/** Returns a 200 reply with a JSON body. */
export function json(body: object, headers: Record<string, string> = {}): Reply {
  return {
    status: 200,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  }
}

/** The reply of an account that names nothing that it has created. */
export const unreadable: ReadReply = {
  failedHere: true,
  outcome: {
    status: 'failed',
    fault: 'account',
    error: new GatewayError('upstream_invalid_reply', 'The upstream’s reply names no object.'),
  },
}
