import { isObject } from '../../lib/json/object.ts'
import type { ReadConsole } from '../console-build.ts'
import type { Principal } from '../principal.ts'
import type { HttpError } from './http-error.ts'

/** Whether a client may send any document. A session of the console sends the operations of its build alone. */
export function maySendDocuments({ kind, use, role }: Principal): boolean {
  return kind !== 'session' || (use === 'graphiql' && role === 'admin')
}

/**
 * Returns the body of an operation with the document that its hash names: what a script that an attacker brings into a page
 * could ask for is what the pages ask for anyway.
 */
export async function bodyOfPersisted(
  body: string,
  readConsole: ReadConsole,
): Promise<{ readonly text: string } | { readonly httpError: HttpError }> {
  const request = parse(body)
  const name = hashIn(request)
  if (name === undefined) return { httpError: documentsRefused }
  const query = (await readConsole())?.operations.get(name)
  if (query === undefined) return { httpError: unknownOperation }
  const { variables, operationName } = request!
  return { text: JSON.stringify({ query, variables, operationName }) }
}

/** A session of the console sent a document, or nothing that names one. */
const documentsRefused: HttpError = {
  status: 403,
  code: 'PERSISTED_OPERATION_REQUIRED',
  message:
    'A session of the console sends the operations of the console by POST, each by its hash: `extensions.persistedQuery`. Other documents need an admin token as bearer, or GraphiQL.',
}

const unknownOperation: HttpError = {
  status: 403,
  code: 'PERSISTED_QUERY_NOT_FOUND',
  message: 'The console of this gateway has no such operation: reload the page.',
}

function parse(body: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function hashIn(request: Record<string, unknown> | undefined): string | undefined {
  if (!request || 'query' in request || !isObject(request['extensions'])) return undefined
  const { persistedQuery } = request['extensions']
  if (!isObject(persistedQuery) || persistedQuery['version'] !== 1) return undefined
  const { sha256Hash } = persistedQuery
  return typeof sha256Hash === 'string' ? sha256Hash : undefined
}
