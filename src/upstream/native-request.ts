import type { RequestBody } from '../contract/body.ts'
import type { Target } from '../contract/operation.ts'
import type { Routed } from '../contract/exchange.ts'
import { type ByteEdit, applyEdits } from '../lib/json/edit.ts'
import { forwardedHeaders } from '../exchange/headers.ts'
import type { Outbound } from '../contract/attempt.ts'
import { createOutbound } from './outbound.ts'

/** The request as the chosen account gets it: the client's bytes, but for the declared edits. */
export function createNativeRequest(exchange: Routed, target: Target): Outbound {
  const { request, call, body, candidate, operation } = exchange
  return createOutbound(candidate, request, {
    method: operation.method,
    path: target.path,
    query: target.query && withoutKey(target.query),
    accept: call.stream ? 'text/event-stream' : 'application/json',
    contentType: contentTypeOf(body),
    forwarded: forwardedHeaders(request.headers, exchange.credential),
    headers: target.headers,
    body: editedBody(body, [...call.edits, ...modelEdit(exchange)]),
  })
}

function contentTypeOf({ form, bytes }: RequestBody): string | undefined {
  if (form) return form.contentType
  return bytes.length > 0 ? 'application/json' : undefined
}

function editedBody({ form, bytes }: RequestBody, edits: readonly ByteEdit[]): Outbound['body'] {
  if (form) return { length: form.replay(edits).length, open: () => form.replay(edits).stream }
  return bytes.length > 0 ? applyEdits(bytes, edits) : null
}

/** A key in the query is the client's, whatever dialect it speaks; the rest stays as it is. */
function withoutKey(query: string): string {
  const pairs = query.split('&')
  const kept = pairs.filter((pair) => !isSecret(pair))
  return kept.length === pairs.length ? query : kept.join('&')
}

const secretParameters = new Set(['key', 'api_key', 'access_token'])

/** Its name is looked at decoded, since `k%65y` is a key as well. */
function isSecret(pair: string): boolean {
  const [name] = new URLSearchParams(pair).keys()
  return name !== undefined && secretParameters.has(name)
}

function modelEdit({ call, candidate, body }: Routed): ByteEdit[] {
  if (!call.modelAt || candidate.upstreamModel === call.model) return []
  const name = (call.modelPrefix ?? '') + candidate.upstreamModel
  return [{ ...call.modelAt, text: body.form ? name : JSON.stringify(name) }]
}
