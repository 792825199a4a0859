import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Account } from './accounts.ts'
import { parseBody, readBody } from './body.ts'
import { identify, refuseLeaks } from './credentials.ts'
import { deliver } from './deliver.ts'
import { findEndpoint, providerOf } from './endpoints.ts'
import { helpText } from './help.ts'
import { newId } from './ids.ts'
import { textOf } from './json.ts'
import { Problem } from './problem.ts'
import type { Call, Endpoint, Provider } from './provider.ts'
import { followReply, recordBody, recordRequest, type RecordedRequest } from './recording.ts'
import { FaultError } from './fault.ts'
import { misbehave, type FlakyCounter } from './steering/misbehave.ts'
import { steer } from './steering/steer.ts'
import type { Delivery } from './wire/perform.ts'

/** What one running sandbox remembers. */
export type SandboxState = {
  accounts: Account[]
  requests: RecordedRequest[]
  /** Streamed replies under way. */
  streams: Set<Delivery>
  flaky: FlakyCounter
  /** Milliseconds between the events of a stream that does not say so itself. */
  eventDelayMs: number
}

/** Serves one request, from the first look at its path to the last byte of the answer. */
export async function serve(
  state: SandboxState,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const record = recordRequest(state.requests, request)
  const delivery = followReply(record, response)
  const url = URL.parse(`http://sandbox${request.url}`) ?? new URL('http://sandbox/unreadable')
  if (request.method === 'GET' && url.pathname === '/') return sendText(response, helpText())
  if (request.method === 'GET' && url.pathname === '/healthz') return sendText(response, 'ok\n')

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
  const { request, record, url } = exchange
  const body = await readBody(request)
  recordBody(record, body)
  const { endpoint, params } = findEndpoint(request.method ?? '', url, request.headers)
  try {
    await answerAt(endpoint, params, body, exchange)
  } catch (error) {
    if (exchange.delivery.signal.aborted) return
    sendProblem(exchange, endpoint.provider, error)
  }
}

async function answerAt(
  endpoint: Endpoint,
  params: Record<string, string>,
  bytes: Buffer,
  exchange: Exchange,
): Promise<void> {
  const { request, record, url, state, delivery } = exchange
  const { provider } = endpoint
  refuseLeaks(request, url, provider)
  const account = identify(request, url, provider, state.accounts)
  record.account = account.id
  announce(exchange, provider, account)

  const body = endpoint.hasBody ? parseBody(request, bytes, provider) : {}
  const model = endpoint.modelOf?.(params) ?? textOf(body['model'])
  const directives = steer(model, header(request, 'x-sandbox'), account.id)
  if (await misbehave(directives, state.flaky, delivery)) return

  const { headers } = request
  const call: Call = { account, headers, query: url.searchParams, params, body, directives }
  const paced = { pace: state.eventDelayMs, ...directives }
  await deliver(endpoint.answer(call), paced, delivery, state.streams)
}

function announce({ delivery, requestId }: Exchange, provider: Provider, account: Account): void {
  const { response } = delivery
  response.setHeader('x-sandbox-account', account.id)
  if (provider.requestIdHeader) response.setHeader(provider.requestIdHeader, requestId)
  for (const [name, value] of Object.entries(provider.replyHeaders(account)))
    response.setHeader(name, value)
}

function sendProblem({ delivery, requestId }: Exchange, provider: Provider, error: unknown): void {
  const { response } = delivery
  if (response.headersSent) return void response.destroy()
  const problem = problemOf(error, provider)
  for (const [name, value] of Object.entries(problem.details.headers ?? {}))
    response.setHeader(name, value)
  if (provider.requestIdHeader) response.setHeader(provider.requestIdHeader, requestId)
  response.writeHead(problem.status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(provider.renderProblem(problem, requestId)))
}

function problemOf(error: unknown, provider: Provider): Problem {
  if (error instanceof Problem) return error
  if (error instanceof FaultError) return provider.explainFault(error.fault)
  return new Problem(
    500,
    `sandbox: defect: ${error instanceof Error ? error.stack : String(error)}`,
  )
}

function sendText(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end(text)
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value.join('; ') : value
}
