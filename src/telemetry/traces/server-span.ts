import { SpanStatusCode, type Attributes, type Span } from '@opentelemetry/api'

import type { Ended } from '../../contract/exchange.ts'
import type { OperationInfo, OperationShape } from '../../contract/dialect-info.ts'
import type { Summary } from '../../contract/outcome.ts'
import type { ClientRequest } from '../../contract/request.ts'
import { knownKeyId } from '../../exchange/identify.ts'
import { upstreamTimeOf } from '../../kit/attempts.ts'
import { isStreamed } from '../genai.ts'
import { exchangeErrorType, streamEndOf } from '../error-types.ts'
import { routePattern } from '../http-labels.ts'
import { spanText } from './names.ts'
import { computedOnce } from '../../lib/computed-once.ts'

/** How an exchange ended. */
interface ServerEnd {
  /** Milliseconds since 1970. */
  readonly endedAt: number
  readonly summary: Summary
  /** Milliseconds that the body took to be read and checked; `undefined` if it was refused. */
  readonly decodeMs: number | undefined
}

/** Ends the span of an exchange at its last byte. */
export function endServerSpan(
  span: Span,
  exchange: Ended,
  { endedAt, summary, decodeMs }: ServerEnd,
): void {
  const { request, progress } = exchange
  const route = routeOf(exchange)
  if (route !== undefined) span.updateName(`${request.method} ${route}`)
  const type = exchangeErrorType(exchange, summary)
  span.setAttributes({
    ...requestAttributes(exchange, route),
    ...replyAttributes(exchange, summary),
    'dragoman.decode.ms': decodeMs,
    'error.type': type,
  })
  // A caller's own mistake is no failure of the server.
  const isFailure = type !== undefined && (summary.status >= 500 || summary.end === 'broken')
  if (isFailure) span.setStatus({ code: SpanStatusCode.ERROR, message: progress.error?.code ?? '' })
  span.end(endedAt)
}

function requestAttributes(exchange: Ended, route: string | undefined): Attributes {
  const { request, client, dialect, call, model, progress } = exchange
  const { peer } = client
  const clean = (text: string) => spanText(text, exchange)
  const agent = request.headers['user-agent']
  const host = hostOf(request)
  const requested = call?.model || progress.job?.model.requested
  const resolved = model?.name || progress.job?.model.name
  return {
    'http.request.method': request.method,
    'url.path': clean(request.path),
    'url.scheme': request.scheme ?? 'http',
    'client.address': request.remoteAddress,
    'network.peer.address': peer?.address,
    'network.peer.port': peer?.port,
    'network.protocol.version': client.httpVersion,
    'http.request.body.size': progress.bytesIn,
    'dragoman.request.id': exchange.id,
    'http.route': route,
    ...(host && hostAttributes(clean(host))),
    'user_agent.original': agent && clean(agent),
    'dragoman.dialect': dialect?.id,
    'dragoman.key.id': knownKeyId(exchange),
    'dragoman.model.requested': requested && requested !== resolved ? clean(requested) : undefined,
    'dragoman.model.resolved': resolved ? clean(resolved) : undefined,
    'dragoman.job.id': progress.job?.id || undefined,
  }
}

function replyAttributes(exchange: Ended, summary: Summary): Attributes {
  const { bytesOut, attempts } = exchange.progress
  const { durationMs } = summary
  const upstreamMs = upstreamTimeOf(exchange, durationMs) ?? 0
  return {
    'http.response.status_code': summary.status,
    'dragoman.response.bytes': bytesOut,
    'dragoman.stream': isStreamed(exchange),
    'dragoman.stream.end': streamEndOf(exchange, summary),
    'dragoman.overhead': Math.max(0, durationMs - upstreamMs) / 1_000,
    'dragoman.attempts': attempts,
  }
}

/** The paths of an operation up to their first parameter, and their patterns. */
const patternsOf = computedOnce((operation: OperationInfo) => {
  const { paths = [] } = operation as Partial<OperationShape>
  return paths.map((path) => ({ start: path.split('{')[0] as string, route: routePattern(path) }))
})

/** The pattern of the request's path, such as `/v1/responses/{id}`; `undefined` without an operation. */
function routeOf({ operation, request: { path } }: Ended): string | undefined {
  if (!operation) return undefined
  const patterns = patternsOf(operation)
  const [first] = patterns
  const found = patterns.length > 1 && patterns.find(({ start }) => path.startsWith(start))
  return (found || first)?.route
}

/** The host that the client asked for: a trusted proxy's word goes before the header. */
function hostOf({ publicUrl, headers }: ClientRequest): string | undefined {
  return publicUrl === undefined ? headers.host : publicUrl.split('/', 3)[2]
}

function hostAttributes(host: string): Attributes {
  const [, name = host, port] = /^(.*?)(?::(\d{1,5}))?$/.exec(host) ?? []
  return { 'server.address': name, ...(port && { 'server.port': Number(port) }) }
}
