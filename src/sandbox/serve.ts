import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Account } from './accounts.ts'
import { parseBody, readBody } from './body.ts'
import { answerToken } from './clouds/tokens.ts'
import { identifyAccount, rejectLeakedHeaders } from './credentials.ts'
import { deliver } from './deliver.ts'
import { findEndpoint, providerOf } from './endpoints.ts'
import { findImageFile } from './image-files.ts'
import { helpText } from './help.ts'
import { bodyOfForm } from './form/form-body.ts'
import type { Form } from './form/form.ts'
import { isFormRequest, readForm } from './form/read-form.ts'
import { newId } from './ids.ts'
import { type JsonObject, textOf } from './json.ts'
import { Problem } from './problem.ts'
import type { Call, Endpoint, Provider } from './provider.ts'
import {
  type RecordedRequest,
  trackReply,
  recordBody,
  recordChunk,
  recordForm,
  recordRequest,
} from './recording.ts'
import { FaultError } from './fault.ts'
import { type FlakyCounter, injectFailure } from './steering/failures.ts'
import { readDirectives } from './steering/read-directives.ts'
import type { Delivery } from './wire/run-steps.ts'

/** The state of a running sandbox. */
export type SandboxState = {
  accounts: Account[]
  requests: RecordedRequest[]
  /** Streamed replies that have not ended. */
  streams: Set<Delivery>
  flaky: FlakyCounter
  /** Milliseconds between the events of a stream without a `pace` directive. */
  eventDelayMs: number
}

/** Serves one request, from its path to the last byte of the reply. */
export async function serve(
  state: SandboxState,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const record = recordRequest(state.requests, request)
  const delivery = trackReply(record, response)
  const url = URL.parse(`http://sandbox${request.url}`) ?? new URL('http://sandbox/unreadable')
  if (request.method === 'GET' && url.pathname === '/') return sendText(response, helpText())
  if (request.method === 'GET' && url.pathname === '/healthz') return sendText(response, 'ok\n')
  const image = request.method === 'GET' && findImageFile(state.accounts, url.pathname)
  if (image) return void response.writeHead(200, { 'content-type': image.type }).end(image.bytes)

  const exchange = { state, request, delivery, record, url, requestId: newId('req_') }
  const provider = providerOf(url.pathname)
  try {
    await answer(exchange)
  } catch (error) {
    if (!delivery.signal.aborted) sendProblem(exchange, provider, error)
  }
}

type Exchange = {
  state: SandboxState
  request: IncomingMessage
  delivery: Delivery
  record: RecordedRequest
  url: URL
  requestId: string
}

async function answer(exchange: Exchange): Promise<void> {
  const { request, url } = exchange
  const body = await receiveBody(exchange)
  const token = tokenReply(exchange, body.bytes)
  if (token) return sendJson(exchange.delivery.response, token)
  const { endpoint, params } = findEndpoint(request.method ?? '', url, request.headers)
  try {
    await answerAt(endpoint, params, body, exchange)
  } catch (error) {
    if (exchange.delivery.signal.aborted) return
    sendProblem(exchange, endpoint.provider, error)
  }
}

function tokenReply({ request, url, state }: Exchange, bytes: Buffer) {
  const { method = '', headers } = request
  const asked = new URL(url.pathname + url.search, `http://${headers.host}`)
  const body = bytes.length > mostTokenBytes ? '' : bytes.toString()
  return answerToken({ method, url: asked, headers, body }, state.accounts)
}

/** A request for a token has some thousand bytes. */
const mostTokenBytes = 64 * 1024

function sendJson(
  response: ServerResponse,
  { status, json }: { status: number; json: JsonObject },
) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json))
}

// A form is parsed as it arrives; any other body is buffered whole.
type ReceivedBody = { bytes: Buffer; form: Form | undefined }

async function receiveBody({ request, record }: Exchange): Promise<ReceivedBody> {
  if (!isFormRequest(request)) {
    const bytes = await readBody(request)
    recordBody(record, bytes)
    return { bytes, form: undefined }
  }
  const form = await readForm(request, (chunk) => recordChunk(record, chunk))
  recordForm(record, form)
  return { bytes: Buffer.alloc(0), form }
}

function parseReceived(
  endpoint: Endpoint,
  request: IncomingMessage,
  received: ReceivedBody,
): JsonObject {
  const { bytes, form } = received
  if (!endpoint.hasBody) return {}
  if (form && endpoint.form) return bodyOfForm(form, endpoint.form)
  return parseBody(request, bytes, endpoint.provider)
}

async function answerAt(
  endpoint: Endpoint,
  params: Record<string, string>,
  received: ReceivedBody,
  exchange: Exchange,
): Promise<void> {
  const { request, record, url, state, delivery } = exchange
  const { provider } = endpoint
  rejectLeakedHeaders(request, url, provider)
  const account = identifyAccount(request, { url, body: received.bytes }, provider, state.accounts)
  record.account = account.id
  setReplyHeaders(exchange, provider, account)

  const body = parseReceived(endpoint, request, received)
  const model = endpoint.modelOf?.(params) ?? endpoint.modelOfBody?.(body) ?? textOf(body['model'])
  const directives = readDirectives(model, headerOf(request, 'x-sandbox'), account.id)
  if (await injectFailure(directives, provider, state.flaky, delivery)) return

  const { headers } = request
  const { form } = received
  const origin = `http://${headers.host}`
  const query = url.searchParams
  const call: Call = { account, headers, query, params, body, form, origin, directives }
  const paced = { pace: state.eventDelayMs, ...directives }
  await deliver(endpoint.answer(call), paced, delivery, state.streams)
}

function setReplyHeaders(
  { delivery, requestId }: Exchange,
  provider: Provider,
  account: Account,
): void {
  const { response } = delivery
  response.setHeader('x-sandbox-account', account.id)
  if (provider.requestIdHeader) response.setHeader(provider.requestIdHeader, requestId)
  for (const [name, value] of Object.entries(provider.replyHeaders(account)))
    response.setHeader(name, value)
}

/** Sends an error in the form of a provider. */
export function sendProblem(
  { delivery, requestId }: Pick<Exchange, 'delivery' | 'requestId'>,
  provider: Provider,
  error: unknown,
): void {
  const { response } = delivery
  if (response.headersSent) return void response.destroy()
  const problem = problemOf(error, provider)
  const headers = { ...provider.problemHeaders?.(problem), ...problem.details.headers }
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  if (provider.requestIdHeader) response.setHeader(provider.requestIdHeader, requestId)
  response.writeHead(problem.status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(provider.renderProblem(problem, requestId)))
}

function problemOf(error: unknown, provider: Provider): Problem {
  if (error instanceof Problem) return error
  if (error instanceof FaultError) return provider.explainFault(error.fault)
  return new Problem(
    500,
    `sandbox: internal error: ${error instanceof Error ? error.stack : String(error)}`,
  )
}

function sendText(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end(text)
}

/** The value of a header. */
export function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value.join('; ') : value
}
