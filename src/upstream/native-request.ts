import { accountFraming } from '../kit/framing/choose.ts'
import type { RequestBody } from '../contract/body.ts'
import type { Target } from '../contract/operation.ts'
import type { Routed } from '../contract/exchange.ts'
import { type ByteEdit, applyEdits } from '../lib/json/edit.ts'
import { type Recipient, forwardedHeaders, forwardedQuery } from '../exchange/headers.ts'
import type { Outbound } from '../contract/attempt.ts'
import { createOutbound } from './outbound.ts'

/** Builds the request to a native candidate: the client's bytes with the edits of the call and for the account. */
export function createNativeRequest(
  exchange: Routed,
  target: Target,
  accountEdits: readonly ByteEdit[] = [],
): Outbound {
  const { request, call, body, candidate, operation, credential } = exchange
  const { account, dialect } = candidate
  if (!dialect.upstream) throw new Error(`Dialect "${dialect.id}" has no upstream side.`)
  const { keyId } = exchange.caller
  const recipient = { upstream: dialect.upstream, account, credential, keyId }
  return createOutbound(candidate, request, {
    method: operation.method,
    path: target.path,
    query: queryOf(target, recipient),
    accept: call.stream ? accountFraming(candidate.dialect).mediaTypes[0] : 'application/json',
    contentType: contentTypeOf(body),
    forwarded: forwardedHeaders(request.headers, recipient),
    headers: target.headers,
    body: editedBody(body, [...call.edits, ...accountEdits, ...modelEdit(exchange)]),
  })
}

function queryOf({ query = '', ownQuery = '' }: Target, recipient: Recipient): string {
  const passing = forwardedQuery(query, recipient)
  return passing && ownQuery ? `${passing}&${ownQuery}` : passing || ownQuery
}

function contentTypeOf({ form, bytes }: RequestBody): string | undefined {
  if (form) return form.contentType
  return bytes.length > 0 ? 'application/json' : undefined
}

function editedBody({ form, bytes }: RequestBody, edits: readonly ByteEdit[]): Outbound['body'] {
  if (form) return { length: form.replay(edits).length, open: () => form.replay(edits).stream }
  return bytes.length > 0 ? applyEdits(bytes, edits) : null
}

function modelEdit({ call, candidate, body }: Routed): ByteEdit[] {
  if (!call.modelAt || candidate.upstreamModel === call.model) return []
  const name = (call.modelPrefix ?? '') + candidate.upstreamModel
  return [{ ...call.modelAt, text: body.form ? name : JSON.stringify(name) }]
}
