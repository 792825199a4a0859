import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

import { oidcCallbackPath } from '../configuration/admin-schema.ts'
import { newRequestId } from '../exchange/receive.ts'
import { refuseAmbiguous } from '../http/check-request.ts'
import { type TrustedProxies, createClientOf } from '../exchange/client.ts'
import { endIfEarly } from '../http/end-early.ts'
import { stateOf } from '../http/connections.ts'
import { describeError } from '../lib/log.ts'
import type { Settings } from '../configuration/settings.ts'
import type { Authenticate } from './authenticate.ts'
import type { ReadConsole } from './console-build.ts'
import { newContext } from './context.ts'
import { createExports, isExport } from './exports.ts'
import type { FindToken } from './grants.ts'
import { notAcceptable, takesAnswer } from './http/accept.ts'
import { readJson } from './http/body.ts'
import { adminClientOf } from './http/client.ts'
import { consoleCallPath, createConsoleCalls } from './http/console-call.ts'
import { createConsoleRoutes, isOfConsole } from './http/console.ts'
import type { AnswerGraphQL } from './http/graphql.ts'
import { createOidcRoutes, oidcPath } from './http/oidc.ts'
import { createGraphiQL } from './http/graphiql.ts'
import { graphiqlPath } from './http/page-style.ts'
import { setSecurityHeaders } from './http/headers.ts'
import { type HttpError, sendHttpError, tooMany, wrongMethod } from './http/http-error.ts'
import { noteDeniedRequest } from './http/note-denied.ts'
import { bodyOfPersisted, maySendDocuments } from './http/persisted.ts'
import { createSessionRoutes, createSignIn, sessionPath } from './http/session.ts'
import { accessOf, faultOfSite, isLocal } from './http/site.ts'
import { createStreams } from './http/streams.ts'
import type { AdminRequest } from './http/admin-request.ts'
import {
  type Authentication,
  authStateOf,
  createAuthenticateRequest,
  createLatestAuthentication,
  takesEvents,
} from './http/authentication.ts'
import { type AdminLimits, adminLimits } from './limits.ts'
import type { Principal } from './principal.ts'
import { createRate } from '../lib/rate.ts'
import type { AdminServices } from './services.ts'

/** The path of the GraphQL endpoint. */
const endpoint = '/graphql'

/** The longest `user-agent` of an audit record, in characters. */
const longestAgent = 200

/** Probes may name any host: their answers are no secret. */
const probes = new Set(['/livez', '/readyz', '/healthz', '/startupz'])

const metricsPath = '/metrics'
const readinessPath = '/readyz'

/** Options of `createAdminListener`. */
interface AdminListenerOptions {
  readonly services: AdminServices
  readonly authenticate: Authenticate
  readonly findToken: FindToken
  /** Serves all other paths: health and metrics. */
  readonly others: RequestListener
  /** The proxies before the admin address. */
  readonly proxies: TrustedProxies
  /** Default: `adminLimits`. */
  readonly limits?: Partial<AdminLimits>
  readonly readConsole: ReadConsole
  /** Loads GraphQL with the first operation: without operators a process spares the memory. */
  readonly loadGraphQL: () => Promise<AnswerGraphQL>
}

/**
 * Creates the listener of the admin address: the GraphQL API for those with a token or a session, and
 * `others`, which from other machines need a token as well. Requests of a foreign site, or without a credential,
 * reach the plain probes.
 */
export function createAdminListener(options: AdminListenerOptions): RequestListener {
  const { services, others } = options
  const { log, settings } = services
  const clientOf = createClientOf(options.proxies)
  const serve = createRoutes(options)

  async function answer(
    request: IncomingMessage,
    response: ServerResponse,
    fault: HttpError | undefined,
  ): Promise<void> {
    const ambiguous = refuseAmbiguous(response)
    const { status = 400, message = '' } = ambiguous ?? {}
    if (ambiguous) return sendHttpError(response, { status, code: 'BAD_REQUEST', message })
    const requestId = String(response.getHeader('x-request-id'))
    const agent = (request.headers['user-agent'] ?? '').slice(0, longestAgent)
    const incoming = {
      request,
      response,
      requestId,
      agent,
      client: adminClientOf(request, clientOf),
    }
    if (!fault) return await serve(incoming)
    await noteDeniedRequest(services.deniedActs, incoming, fault)
    return sendHttpError(response, fault)
  }

  return (request, response) => {
    if (stateOf(request.socket).hasLastAnswer) return
    setSecurityHeaders(response)
    if (probes.has(request.url ?? '')) return others(request, response)
    response.setHeader('x-request-id', newRequestId())
    const access = accessOf(settings())
    const fault = faultOfSite(request, access.allowedHosts)
    if (!fault && mayReadWithoutToken(request, settings())) return others(request, response)
    answer(request, response, fault).catch((error: unknown) => {
      const requestId = response.getHeader('x-request-id')
      if (!request.destroyed || !response.destroyed)
        log.error('the admin API failed', { requestId, ...describeError(error) })
      response.destroy()
    })
  }
}

/** Whether a request to the other paths needs no token. Paths in another spelling than their own do. */
function mayReadWithoutToken(request: IncomingMessage, settings: Settings): boolean {
  const path = pathOf(request)
  if (isOwn(path)) return false
  const { metrics } = settings.telemetry
  const { requireToken } = metrics || {}
  if (path === metricsPath && requireToken === false) return true
  if (path !== readinessPath && requireToken === true) return false
  return isLocal(request, accessOf(settings))
}

function createRoutes({
  services,
  others,
  authenticate,
  findToken,
  limits: changed,
  readConsole,
  loadGraphQL,
}: AdminListenerOptions): (incoming: AdminRequest) => Promise<void> {
  const limits = { ...adminLimits, ...changed }
  const { sessions, deniedActs, log, uptime } = services
  const authenticateRequest = createAuthenticateRequest({
    authenticate,
    sessions,
    deniedActs,
    guesses: createRate({ amount: limits.guessesPerMinute, windowMs: 60_000, uptime }),
  })
  const hasOidc = () => accessOf(services.settings()).oidc !== undefined
  const signIn = createSignIn({ services, sessions, limits })
  const session = createSessionRoutes({
    services,
    sessions,
    limits,
    signIn,
    authenticate,
    authenticateRequest,
    findToken,
    hasOidc,
  })
  const oidc = createOidcRoutes({ services, signIn })
  const graphiql = createGraphiQL({
    authenticateRequest,
    log,
    oidcPath: () => (hasOidc() ? oidcPath : undefined),
  })
  const consoleFiles = createConsoleRoutes(readConsole)
  const streams = createStreams(limits.streams, limits.streamsOfOne)
  const answerExport = createExports(services, limits.exportMs)
  const exports = createStreams(Infinity, Infinity)
  const perSecond = { amount: limits.queriesPerSecond, windowMs: 1_000, uptime }
  const rates = {
    token: createRate({ ...perSecond, burst: limits.tokenBurst }),
    session: createRate({ ...perSecond, burst: limits.sessionBurst }),
    stream: createRate({ ...perSecond, burst: limits.sessionBurst }),
    // A token may begin many sessions.
    together: createRate({
      amount: limits.sessionsTogether,
      windowMs: 1_000,
      burst: 2 * limits.sessionsTogether,
      uptime,
    }),
  }

  async function graphql(incoming: AdminRequest): Promise<void> {
    const { request, response } = incoming
    const isPost = request.method === 'POST'
    if (!isPost && request.method !== 'GET')
      return sendHttpError(response, wrongMethod('GET, POST'))
    const admitted = await admit(incoming, 'call')
    if ('httpError' in admitted) return sendHttpError(response, admitted.httpError)
    if (!takesAnswer(request.headers.accept)) return sendHttpError(response, notAcceptable)
    const answerGraphQL = await loadGraphQL()
    const latestAuthentication = createLatestAuthentication(
      admitted,
      () => authenticateRequest(incoming, 'watch'),
      uptime,
    )
    const body = isPost ? await readJson(response, limits) : undefined
    if (body && 'httpError' in body) return sendHttpError(response, body.httpError)
    // A token may be revoked while a client keeps the end of its body back.
    const authentication = await latestAuthentication()
    if ('httpError' in authentication) return sendHttpError(response, authentication.httpError)
    const { principal } = authentication
    const isPersisted = !maySendDocuments(principal)
    const permitted = isPersisted ? await bodyOfPersisted(body?.text ?? '', readConsole) : body
    if (permitted && 'httpError' in permitted) return sendHttpError(response, permitted.httpError)
    const refuseStream = () =>
      streams.open(response, principal, () => authenticateRequest(incoming, 'watch'))
    // Before the operation, which may be an act.
    const refused = takesEvents(request) && refuseStream()
    if (refused) return sendHttpError(response, refused)
    endIfEarly(response)
    const httpError = await answerGraphQL(request, response, {
      admin: newContext({
        principal,
        authState: async () => authStateOf(await latestAuthentication()),
        requestId: incoming.requestId,
        address: incoming.client.address,
        agent: incoming.agent,
        services,
        isPersisted,
      }),
      mayIntrospect: mayIntrospect(principal),
      refuseStream,
      ...(permitted && { body: permitted.text }),
    })
    if (httpError) await sendHttpError(response, httpError)
  }

  /** Finds who asks, and takes one of their operations of this second. */
  async function admit(incoming: AdminRequest, as: 'call' | 'page'): Promise<Authentication> {
    const authentication = await authenticateRequest(incoming, as)
    if ('httpError' in authentication) return authentication
    const { id, sessionId } = authentication.principal
    const wait =
      sessionId === undefined
        ? rates.token.take(id)
        : rates[takesEvents(incoming.request) ? 'stream' : 'session'].take(sessionId) ||
          rates.together.take(id)
    return wait > 0 ? { httpError: tooMany('Too many operations.', wait) } : authentication
  }

  /** Details of readiness, for other machines. */
  async function serveOthers(incoming: AdminRequest): Promise<void> {
    const authentication = await admit(incoming, 'page')
    if ('httpError' in authentication)
      return sendHttpError(incoming.response, authentication.httpError)
    return others(incoming.request, incoming.response)
  }

  async function serveExport(incoming: AdminRequest, path: string): Promise<void> {
    const { request, response } = incoming
    if (request.method !== 'GET') return sendHttpError(response, wrongMethod('GET'))
    const authentication = await admit(incoming, 'call')
    if ('httpError' in authentication) return sendHttpError(response, authentication.httpError)
    const wait = services.actRates.takeExport(authentication.principal)
    if (wait > 0) return sendHttpError(response, tooMany('Too many exports.', wait))
    // It may take long: it ends with its token or session. The export itself limits how many there are.
    exports.open(response, authentication.principal, () => authenticateRequest(incoming, 'watch'))
    await answerExport(incoming, authentication.principal, path)
  }

  const calls = createConsoleCalls({ services, limits, admit, authenticateRequest })

  return (incoming) => {
    const path = pathOf(incoming.request)
    if (path === endpoint) return graphql(incoming)
    if (isExport(path)) return serveExport(incoming, path)
    if (path === sessionPath) return session(incoming)
    if (path === oidcPath || path === oidcCallbackPath) return oidc(incoming, path !== oidcPath)
    if (isOfConsole(path)) {
      if (accessOf(services.settings()).console === false) return withoutConsole(incoming, path)
      return path === consoleCallPath ? calls(incoming) : consoleFiles(incoming, path)
    }
    return isOwn(path) ? graphiql(incoming) : serveOthers(incoming)
  }
}

/** Without the console the address alone leads to GraphiQL. */
async function withoutConsole({ response }: AdminRequest, path: string): Promise<void> {
  const message = 'The configuration leaves the console out.'
  if (path !== '/') return sendHttpError(response, { status: 404, code: 'NOT_FOUND', message })
  response.writeHead(302, { location: graphiqlPath.slice(1) }).end()
}

function isOwn(path: string): boolean {
  return (
    isOfConsole(path) ||
    path === endpoint ||
    isExport(path) ||
    path === sessionPath ||
    path === oidcPath ||
    path === oidcCallbackPath ||
    path === graphiqlPath ||
    path.startsWith(`${graphiqlPath}/`)
  )
}

/** A session shows pages, which have no use for the schema; only GraphiQL does. */
function mayIntrospect({ role, kind, use }: Principal): boolean {
  return role === 'admin' && (kind === 'token' || use === 'graphiql')
}

function pathOf({ url = '/' }: IncomingMessage): string {
  const mark = url.indexOf('?')
  return mark < 0 ? url : url.slice(0, mark)
}
