import { pipeline } from 'node:stream/promises'

import { z } from 'zod'

import { createRouter } from '../../exchange/routes.ts'
import type { AdminLimits } from '../limits.ts'
import type { Principal } from '../principal.ts'
import { isAtLeast } from '../roles.ts'
import type { AdminServices } from '../services.ts'
import {
  type Authentication,
  type AuthenticateRequest,
  createLatestAuthentication,
} from './authentication.ts'
import { readJson } from './body.ts'
import { type HttpError, sendHttpError, wrongMethod } from './http-error.ts'
import { createInProcess } from './in-process.ts'
import type { AdminRequest } from './admin-request.ts'
import { createStreams } from './streams.ts'

/** The path of the door through which the Playground calls models. */
export const consoleCallPath = '/console/call'

/** The most calls in progress in a process, and of one user. */
const mostCalls = 16
const mostOfOne = 4

/** The headers that carry an API key. */
const ofKeys = ['authorization', 'x-api-key', 'x-goog-api-key']

/**
 * The other headers that a call may have. None is of the connection, of a proxy, or the cookie of the session: what
 * the gateway believes of a client comes from its connection.
 */
const permitted = /^(?:accept|content-type|idempotency-key|anthropic-[a-z-]+|openai-[a-z-]+)$/

/** A header of an answer that the page gets. Accounts write answers: none may set a cookie or a policy of this origin. */
const passed =
  /^(?:content-type|content-encoding|content-length|retry-after(?:-ms)?|x-request-id|x-dragoman-[a-z-]+|x-ratelimit-[a-z-]+)$/

const callSchema = z.strictObject({
  method: z.enum(['GET', 'POST', 'DELETE']).default('POST'),
  path: z
    .string()
    .max(1_000)
    .regex(/^\/[\w\-.~:/%@]+(?:\?[\w\-.~%&=]*)?$/),
  headers: z.record(
    z.string().regex(/^[a-z\d-]{1,64}$/),
    z
      .string()
      .max(4_000)
      .regex(/^[\x20-\x7e]*$/),
  ),
  body: z.union([z.string(), z.record(z.string(), z.unknown())]).optional(),
})

/** Options of `createConsoleCalls`. */
interface ConsoleCallsOptions {
  readonly services: Pick<AdminServices, 'running' | 'uptime'>
  readonly limits: AdminLimits
  /** Finds who asks, and takes one of their operations of this second. */
  readonly admit: (incoming: AdminRequest, as: 'call') => Promise<Authentication>
  readonly authenticateRequest: AuthenticateRequest
}

/**
 * Serves calls of models for the pages: `{method, path, headers, body}` in JSON, with the API key in `headers`. The gateway
 * serves each as if it came to the public address: there the API key decides, and the role gives nothing.
 */
export function createConsoleCalls({
  services,
  limits,
  admit,
  authenticateRequest,
}: ConsoleCallsOptions): (incoming: AdminRequest) => Promise<void> {
  const { gateway, listener } = services.running
  const router = createRouter([...new Set(gateway.routes.map(({ dialect }) => dialect))])
  const send = createInProcess(listener)
  const calls = createStreams(mostCalls, mostOfOne)

  function isInference(method: string, path: string): boolean {
    const match = router.match(method, path.split('?', 1)[0]!)
    if (!('route' in match)) return false
    const { operation } = match.route
    // The lists of models and videos are answered without an account.
    return !('serve' in operation) || (operation.auth === 'key' && method === 'GET')
  }

  function readCall(text: string): z.output<typeof callSchema> | HttpError {
    const { data, error } = callSchema.safeParse(parse(text))
    if (error) return invalid(`\`${error.issues[0]!.path.join('.')}\` is not valid.`)
    const names = Object.keys(data.headers)
    const foreign = names.find((name) => !ofKeys.includes(name) && !permitted.test(name))
    if (foreign !== undefined) return invalid(`A call may not have the header \`${foreign}\`.`)
    if (!ofKeys.some((name) => data.headers[name])) return keyRequired
    return isInference(data.method, data.path) ? data : noOperation
  }

  return async (incoming) => {
    const { request, response } = incoming
    if (request.method !== 'POST') return sendHttpError(response, wrongMethod('POST'))
    const admitted = await admit(incoming, 'call')
    const denied = faultOf(admitted)
    if (denied) return sendHttpError(response, denied)
    const whose = () => authenticateRequest(incoming, 'watch')
    const latest = createLatestAuthentication(admitted, whose, services.uptime)
    const { principal } = admitted as { principal: Principal }
    const full = calls.open(response, principal, whose)
    if (full) return sendHttpError(response, full)
    const body = await readJson(response, { ...limits, bodyBytes: limits.callBytes })
    if ('httpError' in body) return sendHttpError(response, body.httpError)
    const call = readCall(body.text)
    if ('status' in call) return sendHttpError(response, call)
    const denies = faultOf(await latest())
    if (denies) return sendHttpError(response, denies)
    const left = new AbortController()
    response.once('close', () => left.abort())
    try {
      const answer = await send({
        ...call,
        headers: { host: 'localhost', 'user-agent': 'dragoman-console', ...call.headers },
        body: typeof call.body === 'object' ? JSON.stringify(call.body) : call.body,
        address: incoming.client.address,
        signal: left.signal,
      })
      for (const [name, value] of Object.entries(answer.headers))
        if (passed.test(name) && value !== undefined) response.setHeader(name, value)
      // The page knows by it an answer of the call from one of this door.
      response.writeHead(answer.statusCode!, { 'x-dragoman-call': 'answered' })
      response.flushHeaders()
      await pipeline(answer, response)
    } catch {
      // The client has left, or the reply broke off: that is no success, so the connection ends before the reply does.
      response.destroy()
    }
  }
}

/** Who may not call: a token, which has no page, and a role that only reads. */
function faultOf(authentication: Authentication): HttpError | undefined {
  if ('httpError' in authentication) return authentication.httpError
  const { kind, role } = authentication.principal
  return kind === 'session' && isAtLeast(role, 'operator') ? undefined : forbidden
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const invalid = (message: string): HttpError => ({ status: 400, code: 'BAD_REQUEST', message })

const forbidden: HttpError = {
  status: 403,
  code: 'FORBIDDEN',
  message: 'Calls of the console need a session with the role operator or admin.',
}

const keyRequired: HttpError = {
  status: 400,
  code: 'KEY_REQUIRED',
  message:
    'A call carries an API key, as on the public address: sessions and admin tokens call no model.',
}

const noOperation: HttpError = {
  status: 404,
  code: 'NOT_FOUND',
  message: 'This is no operation of the inference API.',
}
