import { Readable } from 'node:stream'

import type { Loss } from '../contract/call.ts'
import type { ErrorReply } from '../contract/dialect-info.ts'
import { type GatewayError, toGatewayError } from '../contract/errors.ts'
import type { Ended } from '../contract/exchange.ts'
import type { Reply } from '../contract/outcome.ts'
import { errorEnvelope } from '../kit/error-envelope.ts'
import { checkReply } from './check-reply.ts'

const printable = /^[\x20-\x7e]*$/

/** Names are an operator's or a client's to choose; headers carry ASCII only. */
export function headerSafe(text: string): string {
  return printable.test(text) ? text : encodeURIComponent(text.toWellFormed())
}

/** Of one field, and of all: clients and proxies refuse an answer with longer headers. Characters. */
const longestName = 200

const longestList = 2_000

/** The fields that a client lost, between commas; what does not fit is `...`. */
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

/** Sent with every stream: proxies on the way must neither buffer nor change it. */
const streamHeaders = {
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
}

/** The reply as the client gets it: named, and with what every stream or error needs. */
export function deliver(exchange: Ended, given: Reply): Reply {
  const reply = checkReply(given)
  const { body, status } = reply
  letGo(exchange, body)
  const { progress } = exchange
  const headers: Record<string, string> = { ...reply.headers }
  headers['x-request-id'] = exchange.id
  const account = progress.attempt?.candidate.account.id ?? progress.job?.account
  if (account !== undefined) headers['x-dragoman-account'] = headerSafe(account)
  const idHeader = exchange.dialect?.requestIdHeader
  if (idHeader) headers[idHeader] = exchange.id
  const losses = lossesOfExchange(exchange)
  if (losses.length > 0) headers['x-dragoman-losses'] = lossesHeader(losses)
  if (body instanceof Readable) {
    progress.streamed = true
    Object.assign(headers, streamHeaders)
    return { status, headers, body }
  }
  progress.bytesOut = body === null ? 0 : Buffer.byteLength(body)
  // What a HEAD is told is the length of what it would have got.
  if (body !== null || exchange.request.method !== 'HEAD') {
    headers['content-length'] = String(progress.bytesOut)
  }
  return { status, headers, body }
}

/** What the call drops on its way, and what translation does. */
export function lossesOfExchange({ call, candidate, progress }: Ended): readonly Loss[] {
  // What the edits of a native request drop is dropped for no account of another dialect.
  const translated = progress.attempt?.losses ?? []
  if (!call || candidate?.native === false) return translated
  return translated.length > 0 ? [...call.losses, ...translated] : call.losses
}

/** A plugin that answers otherwise must not keep an account's stream open for nobody. */
function letGo({ progress: { stream } }: Ended, body: Reply['body']): void {
  const untouched = stream && stream !== body && stream.readableFlowing === null
  if (untouched) stream.destroy()
}

/** The one exit of every error, in the client's dialect. */
export function deliverError(exchange: Ended, thrown: unknown, errors: 'spec' | 'upstream'): Reply {
  const error = toGatewayError(thrown)
  exchange.progress.error = error
  if (errors === 'upstream' && error.upstream) return deliver(exchange, untouched(error))
  const { status, headers, body } = formatError(exchange, error)
  return deliver(exchange, {
    status,
    headers: { 'content-type': 'application/json', ...errorHeaders(error), ...headers },
    body: JSON.stringify(body),
  })
}

/** A dialect that cannot even tell an error has it told in the general envelope. */
function formatError(exchange: Ended, error: GatewayError): ErrorReply {
  try {
    return exchange.dialect?.error(error, exchange) ?? errorEnvelope(error)
  } catch (cause) {
    exchange.progress.error = toGatewayError(cause)
    return errorEnvelope(error)
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
