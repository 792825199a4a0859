import {
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
  validateHeaderValue,
} from 'node:http'
import { Readable } from 'node:stream'

import { createServerAdapter, Response } from '@whatwg-node/server'

import { errorFormat } from './error-format.ts'
import { toGatewayError } from './errors.ts'
import type { Reply } from './exchange.ts'
import { guardHttpPlugins } from './http-plugins.ts'
import type { GatewayPlugin, HttpContext } from './plugin.ts'

/** Answers one request; never rejects. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<Reply>

/**
 * The edge towards `node:http`. With edge plugins every request passes through their adapter, as a
 * `Request` and a `Response`; without any, replies are written as they are, which costs a third less
 * (measured with `npm run bench`).
 */
export function createListener(
  answer: Answer,
  plugins: readonly GatewayPlugin[],
  report: (message: string, error: unknown) => void,
): RequestListener {
  const http = guardHttpPlugins(plugins, report)
  if (http.length === 0) {
    return (request, response) =>
      void answer(request, response).then((reply) =>
        write(withValidHeaders(reply, report), response),
      )
  }
  const adapter = createServerAdapter<HttpContext>(
    async (_request, { req, res }) => toResponse(withValidHeaders(await answer(req, res), report)),
    { plugins: http },
  )
  return (request, response) => void adapter(request, response)
}

/** A plugin can return headers that no connection may carry: that is an error like any other. */
function withValidHeaders(reply: Reply, report: (message: string, error: unknown) => void): Reply {
  try {
    for (const name in reply.headers) validateHeaderValue(name, reply.headers[name] as string)
    return reply
  } catch (error) {
    report('a reply has headers that cannot be sent', error)
    if (reply.body instanceof Readable) reply.body.destroy()
    const { status, body } = errorFormat(toGatewayError(error))
    const headers = { 'content-type': 'application/json' }
    return { status, headers, body: JSON.stringify(body) }
  }
}

function write({ status, headers, body }: Reply, response: ServerResponse): void {
  if (response.destroyed) {
    if (body instanceof Readable) body.destroy()
    return
  }
  response.writeHead(status, headers)
  if (!(body instanceof Readable)) {
    response.end(body ?? undefined)
    return
  }
  response.once('close', () => body.destroy())
  // `pipe` does not tell the destination of an error: a reset is how the client learns of it.
  body.once('error', (error) => response.destroy(error))
  body.pipe(response)
}

function toResponse({ status, headers, body }: Reply): Response {
  return new Response(body as BodyInit | null, { status, headers })
}
