import { pathOnAccount } from './accounts/base-url.ts'
import type { Target, Upstream } from './dialect.ts'
import type { ByteEdit, Routed } from './exchange.ts'
import { forwardedHeaders } from './headers.ts'
import { applyEdits } from './json-edit.ts'
import type { Outbound } from './plugin.ts'

/** The request as the chosen account gets it: the client's bytes, but for the declared edits. */
export function createOutbound(exchange: Routed, target: Target, upstream: Upstream): Outbound {
  const { request, call, body, candidate, operation } = exchange
  const { account } = candidate
  const path = pathOnAccount(account, upstream, target.path)
  return {
    method: operation.method,
    origin: account.origin,
    path: target.query ? `${path}?${target.query}` : path,
    headers: {
      ...forwardedHeaders(request.headers),
      accept: call.stream ? 'text/event-stream' : 'application/json',
      // A compressed stream could not be observed without undoing it first.
      'accept-encoding': 'identity',
      'content-type': 'application/json',
      ...upstream.headers(account, request),
      ...target.headers,
    },
    body: applyEdits(body.bytes, [...call.edits, ...modelEdit(exchange)]),
  }
}

function modelEdit({ call, candidate }: Routed): ByteEdit[] {
  if (!call.modelAt || candidate.upstreamModel === call.model) return []
  return [{ ...call.modelAt, text: JSON.stringify(candidate.upstreamModel) }]
}
