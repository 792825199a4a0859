import type { ServerResponse } from 'node:http'

import { endEarly } from '../../http/end-early.ts'

/** Why the admin address does not answer a request. */
export interface HttpError {
  readonly status: number
  readonly code: string
  /** The fault and its remedy, in words for people. */
  readonly message: string
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * The same for a missing, a wrong, an expired and a revoked credential, so that nothing of them can be
 * learned.
 */
export const unauthenticated: HttpError = {
  status: 401,
  code: 'UNAUTHENTICATED',
  message: 'An admin token is required: `authorization: Bearer <token>`, or a session.',
  headers: { 'www-authenticate': 'Bearer' },
}

/** The store cannot say whether a credential is valid. */
export const storeAway: HttpError = {
  status: 503,
  code: 'STORE_UNAVAILABLE',
  message: 'The store does not answer, so the credential cannot be checked. Try again.',
  headers: { 'retry-after': '1' },
}

/** Too many, for `waitMs` milliseconds. */
export function tooMany(message: string, waitMs: number): HttpError {
  const seconds = String(Math.max(1, Math.ceil(waitMs / 1000)))
  return {
    status: 429,
    code: 'TOO_MANY_REQUESTS',
    message,
    headers: { 'retry-after': seconds, 'retry-after-ms': String(Math.ceil(waitMs)) },
  }
}

/** The error for one more stream of events than the process, or a token or user, may have open. */
export function tooManyStreams(whose: 'process' | 'own'): HttpError {
  const message =
    whose === 'own'
      ? 'Too many streams of this token or user are open: close a tab.'
      : 'Too many streams are open.'
  return { ...tooMany(message, 5_000), status: 503, code: 'TOO_MANY_STREAMS' }
}

/** A method that a path does not have. */
export function wrongMethod(allow: string): HttpError {
  return {
    status: 405,
    code: 'METHOD_NOT_ALLOWED',
    message: `The methods of this path are ${allow}.`,
    headers: { allow },
  }
}

/** Answers with an error, in the form of GraphQL. */
export async function sendHttpError(response: ServerResponse, httpError: HttpError): Promise<void> {
  const { status, code, message, headers } = httpError
  await sendJson(response, status, { errors: [{ message, extensions: { code } }] }, headers)
}

/** Answers in JSON. A body that is still on its way is not waited for. */
export async function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const body = JSON.stringify(value)
  if (!response.req.complete) await endEarly(response)
  if (response.headersSent || response.destroyed) return
  response
    .writeHead(status, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
      ...headers,
    })
    .end(body)
}

/** Answers without a body. */
export async function sendEmpty(response: ServerResponse, status: number): Promise<void> {
  if (!response.req.complete) await endEarly(response)
  if (!response.headersSent && !response.destroyed) response.writeHead(status).end()
}
