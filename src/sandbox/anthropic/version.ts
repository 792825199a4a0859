import type { IncomingHttpHeaders } from 'node:http'
import { badRequest } from '../problem.ts'

/** The API version in a request's headers, and whether beta fields are allowed. */
export type MessagesVersion = { version: string; beta: boolean }

const knownVersions = ['2023-06-01', '2026-10-21']

/** Reads the API version of a request. Throws a 400 for none and for an unknown one. */
export function readVersion(headers: IncomingHttpHeaders, query: URLSearchParams): MessagesVersion {
  const version = headers['anthropic-version']
  if (version === undefined) throw badRequest('anthropic-version: header is required')
  if (typeof version !== 'string' || !knownVersions.includes(version))
    throw badRequest(`anthropic-version: "${String(version)}" is not a valid version`)
  const beta = headers['anthropic-beta'] !== undefined || query.get('beta') === 'true'
  return { version, beta }
}
