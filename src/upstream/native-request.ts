import type { RequestBody } from '../contract/body.ts'
import type { Target } from '../contract/operation.ts'
import type { Routed } from '../contract/exchange.ts'
import { type ByteEdit, applyEdits } from '../lib/json/edit.ts'
import { forwardedHeaders } from '../exchange/headers.ts'
import type { Outbound } from '../contract/attempt.ts'
import { createOutbound } from './outbound.ts'

/** Builds the request to a native candidate: the client's bytes with the edits of the call and for the account. */
export function createNativeRequest(
  exchange: Routed,
  target: Target,
  accountEdits: readonly ByteEdit[] = [],
): Outbound {
  const { request, call, body, candidate, operation } = exchange
  return createOutbound(candidate, request, {
    method: operation.method,
    path: target.path,
    query: target.query && withoutSecrets(target.query),
    accept: call.stream ? 'text/event-stream' : 'application/json',
    contentType: contentTypeOf(body),
    forwarded: forwardedHeaders(request.headers, exchange.credential),
    headers: target.headers,
    body: editedBody(body, [...call.edits, ...accountEdits, ...modelEdit(exchange)]),
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

/** Removes credentials of the client from a query; the other parameters stay byte for byte. */
function withoutSecrets(query: string): string {
  const pairs = query.split('&')
  const publicPairs = pairs.filter((pair) => !isSecret(pair))
  return publicPairs.length === pairs.length ? query : publicPairs.join('&')
}

const secretParameters = new Set(['key', 'api_key', 'access_token'])

/** Compares the decoded name, since `k%65y` is a key as well. */
function isSecret(pair: string): boolean {
  const [name] = new URLSearchParams(pair).keys()
  return name !== undefined && secretParameters.has(name)
}

function modelEdit({ call, candidate, body }: Routed): ByteEdit[] {
  if (!call.modelAt || candidate.upstreamModel === call.model) return []
  const name = (call.modelPrefix ?? '') + candidate.upstreamModel
  return [{ ...call.modelAt, text: body.form ? name : JSON.stringify(name) }]
}
