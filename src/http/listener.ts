import {
  type IncomingMessage,
  type RequestListener,
  STATUS_CODES,
  type ServerResponse,
  validateHeaderValue,
} from 'node:http'
import { Readable } from 'node:stream'

import { Response, type ServerAdapterPlugin, createServerAdapter } from '@whatwg-node/server'

import { type GatewayError, toGatewayError } from '../contract/errors.ts'
import type { Reply } from '../contract/outcome.ts'
import type { GatewayPlugin, HttpContext } from '../contract/plugin.ts'
import type { ErrorForm } from '../contract/request.ts'
import { newRequestId } from '../exchange/receive.ts'
import { errorEnvelope } from '../kit/error-envelope.ts'
import { ReplyStream } from '../upstream/reply-stream.ts'
import { inScope, outOfScope } from '../lib/named-scope.ts'
import { atEndOfTurn } from '../lib/turns.ts'
import { refuseAmbiguous } from './check-request.ts'
import { endEarly, endIfEarly } from './end-early.ts'
import { stateOf } from './connections.ts'

/**
 * Wraps the hooks of edge plugins: an error is reported, and the client gets a clean error reply. The
 * adapter itself would send the stack trace to the client.
 */
function guardHttpPlugins(
  plugins: readonly GatewayPlugin[],
  { report, errors }: Failing,
): ServerAdapterPlugin<HttpContext>[] {
  return plugins.flatMap(({ name, http }) =>
    http
      ? [guard(name, http, errors, (hook, error) => report(`${name}: ${hook} failed`, error))]
      : [],
  )
}

function guard(
  name: string,
  plugin: ServerAdapterPlugin<HttpContext>,
  errors: ErrorForm,
  report: (hook: string, error: unknown) => void,
): ServerAdapterPlugin<HttpContext> {
  const { onRequest, onResponse, instrumentation } = plugin
  const guarded: ServerAdapterPlugin<HttpContext> = { ...plugin }
  if (onRequest) {
    guarded.onRequest = async (payload) => {
      try {
        await inScope(name, () => onRequest(payload))
      } catch (error) {
        report('onRequest', error)
        payload.endResponse(cleanError(error, errors))
      }
    }
  }
  if (onResponse) {
    guarded.onResponse = async (payload) => {
      try {
        await inScope(name, () => onResponse(payload))
      } catch (error) {
        report('onResponse', error)
        payload.setResponse(cleanError(error, errors))
      }
    }
  }
  const around = instrumentation?.request
  if (around) {
    guarded.instrumentation = {
      ...instrumentation,
      request: async (payload, wrapped) => {
        let hasBegun = false
        const begin = () => {
          hasBegun = true
          return outOfScope(wrapped)
        }
        try {
          await inScope(name, () => around(payload, begin))
        } catch (error) {
          report('instrumentation', error)
          if (!hasBegun) await wrapped()
        }
      },
    }
  }
  return guarded
}

function cleanError(thrown: unknown, errors: ErrorForm): Response {
  const { status, body } = errorEnvelope(toGatewayError(thrown), { errors })
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json' },
  })
}

/** Handles one request, or answers with the fault of one that is ambiguous. Never rejects. */
type HandleRequest = (
  request: IncomingMessage,
  response: ServerResponse,
  fault: GatewayError | undefined,
) => Promise<Reply>

/**
 * Creates the listener for `node:http`. With edge plugins every request passes through their adapter,
 * as a `Request` and a `Response`; without any, replies are written directly, which costs a third less
 * (measured with `npm run bench`).
 */
export function createListener(
  handle: HandleRequest,
  plugins: readonly GatewayPlugin[],
  failing: Failing,
): RequestListener {
  const http = guardHttpPlugins(plugins, failing)
  if (http.length === 0) {
    return (request, response) => {
      if (stateOf(request.socket).hasLastAnswer) return
      void handle(request, response, refuseAmbiguous(response))
        .then((reply) => {
          const written = () => writeOrReset(reply, response, failing)
          if (!request.complete) return endEarly(response).then(written)
          return mayWait(reply) ? atEndOfTurn(written) : written()
        })
        .catch((error: unknown) => reset(response, error, failing))
    }
  }
  const adapter = createServerAdapter<HttpContext>(
    async (_request, { req, res, fault }: FaultContext) =>
      toResponse(await handle(req, res, fault), failing),
    { plugins: http },
  )
  return (request, response) => {
    if (stateOf(request.socket).hasLastAnswer) return
    const fault = refuseAmbiguous(response)
    endIfEarly(response)
    // An edge plugin may reply without an exchange.
    response.setHeader('x-request-id', newRequestId())
    repairHost(request)
    const context: Partial<FaultContext> = { fault }
    void adapter(request, response, context)
  }
}

/** The context of a request that passes edge plugins. */
interface FaultContext extends HttpContext {
  /** See `HandleRequest`. */
  readonly fault?: GatewayError | undefined
}

/** Replaces an invalid Host header, for which the adapter would send a stack trace to the client. */
function repairHost(request: IncomingMessage): void {
  const { headers, url } = request
  if (!URL.canParse(`http://${headers.host}${url}`)) headers.host = 'localhost'
}

/** What happens to errors for which no exchange exists any more. */
interface Failing {
  readonly report: (message: string, error: unknown) => void
  /** The form that the client reads. */
  readonly errors: ErrorForm
}

/** Whether a reply loses nothing before it is written. A stream of a plugin may flow already. */
function mayWait({ body }: Reply): boolean {
  return !(body instanceof Readable) || body instanceof ReplyStream
}

/** Writes a reply, or resets the connection. Never throws. */
export function writeOrReset(reply: Reply, response: ServerResponse, failing: Failing): void {
  try {
    write(reply, response, failing)
  } catch (error) {
    reset(response, error, failing)
  }
}

function reset(response: ServerResponse, error: unknown, { report }: Failing): void {
  report('a reply could not be written', error)
  response.destroy()
}

function write(reply: Reply, response: ServerResponse, failing: Failing): void {
  const { status, headers, body } = reply
  if (response.destroyed) return discard(reply)
  try {
    response.writeHead(status, reasonOf(status), headers)
  } catch (error) {
    return write(unsendable(reply, error, failing), response, failing)
  }
  if (body instanceof ReplyStream) return body.attach(response)
  if (!(body instanceof Readable)) {
    response.end(body ?? undefined)
    return
  }
  response.once('close', () => body.destroy())
  // `pipe` does not forward errors. The client learns of one by a reset.
  body.once('error', (error) => response.destroy(error))
  body.pipe(response)
}

/** The reason phrase of a status. For unknown ones Node would write "unknown" and the adapter "OK". */
function reasonOf(status: number): string {
  return STATUS_CODES[status] ?? (status === 529 ? 'Overloaded' : 'Error')
}

function discard({ body }: Reply): void {
  if (body instanceof Readable) body.destroy()
}

/** The error reply in place of a plugin's reply with invalid headers. */
function unsendable(reply: Reply, error: unknown, { report, errors }: Failing): Reply {
  report('a reply has headers that cannot be sent', error)
  discard(reply)
  const { status, body } = errorEnvelope(toGatewayError(error), { errors })
  return {
    status,
    headers: { 'content-type': 'application/json', ...idOf(reply) },
    body: JSON.stringify(body),
  }
}

function idOf({ headers }: Reply): Record<string, string> {
  const id = headers['x-request-id']
  return id === undefined ? {} : { 'x-request-id': id }
}

/** Converts a reply for the adapter. Checks its headers here, because the adapter's errors cannot be caught. */
function toResponse(reply: Reply, failing: Failing): Response {
  try {
    for (const name in reply.headers) validateHeaderValue(name, reply.headers[name] as string)
  } catch (error) {
    return toResponse(unsendable(reply, error, failing), failing)
  }
  const { status, headers, body } = reply
  return new Response(body as BodyInit | null, {
    status,
    statusText: reasonOf(status),
    headers,
  })
}
