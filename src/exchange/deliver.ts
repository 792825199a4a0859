import { Readable } from 'node:stream'

import type { Loss } from '../contract/call.ts'
import type { ErrorReply } from '../contract/dialect-info.ts'
import { type GatewayError, toGatewayError } from '../contract/errors.ts'
import type { Ended, Received } from '../contract/exchange.ts'
import type { Reply } from '../contract/outcome.ts'
import { errorEnvelope } from '../kit/error-envelope.ts'

const printable = /^[\x20-\x7e]*$/

/** Encodes a name that an operator or a client chose: headers allow ASCII only. */
function headerSafe(text: string): string {
  return printable.test(text) ? text : encodeURIComponent(text.toWellFormed())
}

/** In characters. Clients and proxies reject a reply whose headers are too long. */
const longestName = 200

const longestList = 2_000

/** The value of `x-dragoman-losses`: the lost fields, separated by commas; `...` stands for more. */
export function lossesHeader(losses: readonly Loss[]): string {
  let list = ''
  for (const { field } of losses) {
    const name = nameInList(field)
    if (list.length + name.length > longestList) return `${list}, ...`
    list = list === '' ? name : `${list}, ${name}`
  }
  return list
}

function nameInList(field: string): string {
  const name = field.length > longestName ? `${field.slice(0, longestName)}...` : field
  return name.includes(',') ? encodeURIComponent(name.toWellFormed()) : headerSafe(name)
}

/** Sent with every stream, so that no proxy buffers or changes it. */
const streamHeaders = {
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
}

/** Completes a reply for the client: adds the gateway's headers, and the headers of a stream. */
export function deliver(exchange: Ended, unchecked: Reply): Reply {
  const reply = checkReply(unchecked)
  const { body, status } = reply
  destroyUnused(exchange, body)
  const { progress } = exchange
  const headers: Record<string, string> = { ...reply.headers, ...progress.headers }
  headers['x-request-id'] = exchange.id
  if (progress.trace) headers['x-trace-id'] = progress.trace.traceId
  const account = progress.attempt?.candidate.account.id ?? progress.job?.account
  if (account !== undefined) headers['x-dragoman-account'] = headerSafe(account)
  const idHeader = exchange.dialect?.requestIdHeader
  if (idHeader) headers[idHeader] = exchange.id
  const losses = lossesOfExchange(exchange)
  // A stored reply has the losses of the call that made it in this header already.
  if (losses.length > 0) headers['x-dragoman-losses'] ??= lossesHeader(losses)
  if (body instanceof Readable) {
    progress.streamed = true
    Object.assign(headers, streamHeaders)
    progress.capture?.replied({ status, headers, body })
    return { status, headers, body }
  }
  if (status === 200 && Buffer.isBuffer(body)) progress.trace?.wrote?.(body)
  progress.bytesOut = body === null ? 0 : Buffer.byteLength(body)
  // The reply to a HEAD has the length of the body that a GET would get.
  if (body !== null || exchange.request.method !== 'HEAD') {
    headers['content-length'] = String(progress.bytesOut)
  }
  progress.capture?.replied({ status, headers, body })
  return { status, headers, body }
}

/** The fields that the call's edits and the translation drop. */
export function lossesOfExchange({ call, candidate, progress }: Ended): readonly Loss[] {
  const { losses: translated = [], candidate: asked = candidate } = progress.attempt ?? {}
  // Only native requests get the call's edits.
  if (!call || asked?.native === false) return translated
  return translated.length > 0 ? [...call.losses, ...translated] : call.losses
}

/** Destroys an account's stream that a plugin has replaced by another reply. */
function destroyUnused({ progress: { stream } }: Ended, body: Reply['body']): void {
  const untouched = stream && stream !== body && stream.readableFlowing === null
  if (untouched) stream.destroy()
}

/**
 * Turns any thrown value into an error reply in the client's dialect. With `errors: 'upstream'` the bodies of
 * upstream errors pass unchanged.
 */
export function deliverError(exchange: Ended, thrown: unknown): Reply {
  const error = toGatewayError(thrown)
  exchange.progress.error = error
  if (exchange.errors === 'upstream' && error.upstream) return deliver(exchange, untouched(error))
  const { status, headers, body } = formatError(exchange, error)
  return deliver(exchange, {
    status,
    headers: { 'content-type': 'application/json', ...errorHeaders(error), ...headers },
    body: JSON.stringify(body),
  })
}

/** The error in the client's dialect, or in the general envelope if the dialect's `error` throws. */
export function formatError(exchange: Ended, error: GatewayError): ErrorReply {
  try {
    return exchange.dialect?.error(error, exchange) ?? errorEnvelope(error, exchange)
  } catch (cause) {
    exchange.progress.error = toGatewayError(cause)
    return errorEnvelope(error, exchange)
  }
}

function untouched(error: GatewayError): Reply {
  const upstream = error.upstream as NonNullable<GatewayError['upstream']>
  const contentType = upstream.headers['content-type'] ?? 'application/json'
  return {
    status: error.status,
    headers: { 'content-type': contentType, ...errorHeaders(error) },
    body: upstream.body,
  }
}

function errorHeaders(error: GatewayError): Record<string, string> {
  if (error.retry === undefined) return { ...error.headers }
  return { ...error.headers, 'x-should-retry': String(error.retry) }
}

/** Returns a plugin's reply, which goes straight to a connection. Throws `TypeError` if it is malformed. */
export function checkReply(reply: Reply): Reply {
  const { status, headers, body } = Object(reply) as Partial<Reply>
  const hasBody =
    body === null || typeof body === 'string' || Buffer.isBuffer(body) || body instanceof Readable
  const hasStatus = Number.isInteger(status) && (status ?? 0) >= 200 && (status ?? 0) < 600
  if (hasBody && hasStatus && typeof headers === 'object') return reply
  throw new TypeError('A hook returned a value that is not a reply: { status, headers, body }.')
}

/**
 * Adds `x-request-id`, and `x-trace-id` if the exchange is traced, which a plugin's reply may lack. Throws
 * as `checkReply` does.
 */
export function withIds({ id, progress: { trace } }: Received, unchecked: Reply): Reply {
  const reply = checkReply(unchecked)
  const hasTrace = !trace || reply.headers['x-trace-id'] === trace.traceId
  if (reply.headers['x-request-id'] === id && hasTrace) return reply
  const ids = { 'x-request-id': id, ...(trace && { 'x-trace-id': trace.traceId }) }
  return { ...reply, headers: { ...reply.headers, ...ids } }
}
