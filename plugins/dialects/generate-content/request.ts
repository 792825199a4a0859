import type { RequestBody } from '../../../src/body.ts'
import { checkArray, checkObject, isPresent, requireField } from '../../../src/checks.ts'
import type { Authenticated, Call, ClientRequest } from '../../../src/exchange.ts'
import { modelOfPath } from './paths.ts'

/** Checks what the contract bounds; camelCase and snake_case fields are both the provider's own. */
export function understandGenerate(
  exchange: Authenticated,
  { json }: RequestBody,
  stream: boolean,
): Call {
  requireField(json, 'contents')
  checkArray(json, 'contents', 1)
  checkObject(json, 'generationConfig')
  checkObject(json, 'generation_config')
  return callOf(exchange, stream)
}

/** The contents to count may stand inside a whole request. */
export function understandCount(exchange: Authenticated, { json }: RequestBody): Call {
  const wrapped =
    isPresent(json, 'generateContentRequest') || isPresent(json, 'generate_content_request')
  if (!wrapped) requireField(json, 'contents')
  checkArray(json, 'contents', 1)
  return callOf(exchange, false)
}

function callOf(exchange: Authenticated, stream: boolean): Call {
  return { ...modelOfPath(exchange), stream, refersTo: [], edits: [], losses: [] }
}

/** Whether a streamed answer is framed as events; otherwise it is one JSON array. */
export function wantsEvents({ query, headers }: ClientRequest): boolean {
  return (
    new URLSearchParams(query).get('alt') === 'sse' ||
    /\btext\/event-stream\b/.test(headers.accept ?? '')
  )
}

/** The client's query without its key; a stream is always asked for as events. */
export function accountQuery({ query }: ClientRequest, stream: boolean): string {
  const parameters = new URLSearchParams(query)
  for (const name of ['key', 'alt', 'access_token']) parameters.delete(name)
  if (stream) parameters.set('alt', 'sse')
  return parameters.toString()
}
