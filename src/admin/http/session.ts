import type { IncomingMessage } from 'node:http'

import { describeError } from '../../lib/log.ts'
import { StoreUnavailable } from '../../stores/store.ts'
import type { Authenticate } from '../authenticate.ts'
import { describeActor } from '../context.ts'
import type { FindToken } from '../grants.ts'
import { isObject } from '../../lib/json/object.ts'
import type { AdminLimits } from '../limits.ts'
import type { Principal, SessionUse } from '../principal.ts'
import { type Rate, createRate } from '../../lib/rate.ts'
import type { Role } from '../roles.ts'
import type { AdminServices } from '../services.ts'
import type { Grant, Rights, Sessions } from '../sessions.ts'
import { readJson } from './body.ts'
import { networkOf } from '../../exchange/client.ts'
import { cookieOf, readCookie, sessionCookies } from './cookies.ts'
import {
  type HttpError,
  sendHttpError,
  sendEmpty,
  sendJson,
  storeAway,
  tooMany,
  unauthenticated,
  wrongMethod,
} from './http-error.ts'
import type { AdminRequest } from './admin-request.ts'
import { noteLimit } from './note-denied.ts'
import type { AuthenticateRequest } from './authentication.ts'

/** The path at which sessions begin and end. */
export const sessionPath = '/session'

/** The identity that a sign-in has proven, and what it is for. */
interface Proof {
  readonly grant: Grant
  readonly rights: Rights
  readonly use: SessionUse
}

/** Begins sessions, within the rate of attempts and with an audit record for each. */
export interface SignIn {
  /** Takes one attempt of the client's address. */
  attempt(incoming: AdminRequest): Promise<HttpError | undefined>
  /** Gives an attempt back that has succeeded, or has tried nothing. */
  excuse(incoming: AdminRequest): void
  /** Begins a session, and sets its cookie. The session for the same use that the client had ends. */
  succeed(
    incoming: AdminRequest,
    proof: Proof,
  ): Promise<{ principal: Principal } | { httpError: HttpError }>
  /** Records a denied attempt, and the user who has proven who they are. Returns the error for the client. */
  fail(incoming: AdminRequest, why: string, user?: string): Promise<HttpError>
}

/** Parts of `createSignIn` and `createSessionRoutes`. */
interface SignInParts {
  readonly services: AdminServices
  readonly sessions: Sessions
  readonly limits: AdminLimits
}

/** Creates what all ways to sign in share. */
export function createSignIn({ services, sessions, limits }: SignInParts): SignIn {
  const { uptime, audit, deniedActs, log } = services
  const minute = { windowMs: 60_000, uptime }
  const attempts: Rate = createRate({ ...minute, amount: limits.attemptsPerMinute })
  const begun: Rate = createRate({ ...minute, amount: limits.sessionsPerMinute })
  const keyOf = ({ client }: AdminRequest) => networkOf(client.address)
  const noteDenied = ({ client, agent, requestId }: AdminRequest, message: string, user: string) =>
    deniedActs.note({
      kind: 'sign-in',
      address: client.address,
      agent,
      requestId,
      action: 'session.begin',
      target: { type: 'session', id: user },
      message,
    })

  return {
    async attempt(incoming) {
      const wait = attempts.take(keyOf(incoming))
      if (wait <= 0) return undefined
      const httpError = tooMany('Too many attempts to sign in from this address.', wait)
      await noteLimit(deniedActs, incoming, httpError)
      return httpError
    },
    excuse(incoming) {
      attempts.giveBack(keyOf(incoming))
    },
    async succeed(incoming, { grant, rights, use }) {
      const { client, agent, request, response, requestId } = incoming
      const user = grant.kind === 'token' ? grant.id : `oidc/${grant.subject}`
      const wait = begun.take(user)
      if (wait > 0) {
        const httpError = tooMany('Too many sessions begin.', wait)
        await noteDenied(incoming, httpError.message, user)
        return { httpError }
      }
      const from = { address: client.address, agent }
      const { cookie, principal, begin } = sessions.prepare(grant, rights, { ...from, use })
      const end = await audit.begin({
        ...describeActor({ principal, requestId, ...from }),
        action: 'session.begin',
        target: { type: 'session', id: principal.sessionId! },
      })
      await begin()
      // Where it fails, the record says that the session may have begun.
      await end({ result: 'DONE' }).catch((error: unknown) =>
        log.error('the beginning of a session is not in the audit log', {
          requestId,
          ...describeError(error),
        }),
      )
      const name = sessionCookies[use]
      const former = await sessions.find(readCookie(request, name, client) ?? '')
      if (former) await sessions.end(former.sessionId!)
      response.appendHeader('set-cookie', cookieOf(name, cookie, client))
      return { principal }
    },
    async fail(incoming, message, user = 'none') {
      await noteDenied(incoming, message, user)
      return unauthenticated
    },
  }
}

/** Serves `/session`: POST begins a session with a token, GET says whose it is, DELETE ends it. */
export function createSessionRoutes(
  parts: SignInParts & {
    readonly signIn: SignIn
    readonly authenticate: Authenticate
    readonly authenticateRequest: AuthenticateRequest
    readonly findToken: FindToken
    /** Whether users can sign in by OpenID Connect. */
    readonly hasOidc: () => boolean
  },
): (incoming: AdminRequest) => Promise<void> {
  const { services, sessions, limits, signIn, authenticate, authenticateRequest, findToken } = parts
  const { hasOidc } = parts

  async function begin(incoming: AdminRequest): Promise<void> {
    const { request, response } = incoming
    const credential = await credentialOf(incoming)
    if ('httpError' in credential) return sendHttpError(response, credential.httpError)
    const authorized = withAuthorization(request, credential.authorization)
    // Guesses from its address do not lock a valid token out.
    const known = await authenticate(authorized, 'known')
    const busy = known ? undefined : await signIn.attempt(incoming)
    if (busy) return sendHttpError(response, busy)
    const principal = known ?? (await tryToken(incoming, authorized))
    const token = principal?.kind === 'token' ? await findToken(principal.id) : undefined
    if (!principal || !token)
      return sendHttpError(response, await signIn.fail(incoming, 'The token is not valid.'))
    const { id, role, expiresAt } = principal
    const begun = await signIn.succeed(incoming, {
      grant: { kind: 'token', id, hash: token.hash },
      rights: { role, ...(expiresAt !== undefined && { expiresAt }) },
      use: useFor(role, credential.use),
    })
    if ('httpError' in begun) return sendHttpError(response, begun.httpError)
    return sendJson(response, 201, describe(begun.principal))
  }

  /** A token that is valid, or a store that cannot say so, uses up no attempt. */
  async function tryToken(
    incoming: AdminRequest,
    authorized: IncomingMessage,
  ): Promise<Principal | undefined> {
    let isWrong = false
    try {
      const principal = await authenticate(authorized, 'latest')
      isWrong = principal === undefined
      return principal
    } finally {
      if (!isWrong) signIn.excuse(incoming)
    }
  }

  /** From the header or from the body: `{"token": "...", "for": "graphiql"}`. */
  async function credentialOf({
    request,
    response,
  }: AdminRequest): Promise<{ authorization: string; use: unknown } | { httpError: HttpError }> {
    const { authorization } = request.headers
    if (authorization !== undefined) return { authorization, use: undefined }
    const body = await readJson(response, limits)
    if ('httpError' in body) return body
    const { token, for: use } = readSignIn(body.text)
    // An invalid token if the body lacks one, so that every failure takes the same way.
    const secret = typeof token === 'string' && token !== '' ? token : 'none'
    return { authorization: `Bearer ${secret}`, use }
  }

  async function end(incoming: AdminRequest): Promise<void> {
    const { response, requestId, client, agent } = incoming
    const authentication = await authenticateRequest(incoming, 'call')
    if ('httpError' in authentication) return sendHttpError(response, authentication.httpError)
    const { principal } = authentication
    const id = principal.sessionId
    if (id === undefined)
      return sendHttpError(response, {
        status: 400,
        code: 'NO_SESSION',
        message: 'A token has no session.',
      })
    const finish = await services.audit.begin({
      ...describeActor({ principal, requestId, address: client.address, agent }),
      action: 'session.end',
      target: { type: 'session', id },
    })
    await sessions.end(id)
    // The session has ended: its cookie goes, also if the store does not take the result.
    await finish({ result: 'DONE' }).catch((error: unknown) =>
      services.log.error('the result of an act is not in the audit log', describeError(error)),
    )
    const name = sessionCookies[principal.use ?? 'console']
    for (const isSecure of [true, false])
      response.appendHeader('set-cookie', cookieOf(name, '', { isSecure, maxAge: 0 }))
    return sendEmpty(response, 204)
  }

  async function show(incoming: AdminRequest): Promise<void> {
    const { request, response } = incoming
    const authentication = await authenticateRequest(incoming, 'page')
    const oidc = hasOidc()
    if ('principal' in authentication)
      return sendJson(response, 200, { oidc, ...describe(authentication.principal) })
    const { httpError } = authentication
    // A browser would log an error on every first visit.
    const isSignedOut = httpError.status === 401 && request.headers.authorization === undefined
    if (isSignedOut) return sendJson(response, 200, { signedIn: false, oidc })
    return sendHttpError(response, httpError)
  }

  const methods: Partial<Record<string, (incoming: AdminRequest) => Promise<void>>> = {
    POST: begin,
    GET: show,
    DELETE: end,
  }
  return async (incoming) => {
    const serve = methods[incoming.request.method!]
    if (!serve) return sendHttpError(incoming.response, wrongMethod('GET, POST, DELETE'))
    try {
      await serve(incoming)
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      await sendHttpError(incoming.response, storeAway)
    }
  }
}

/** Who is signed in, for the console. */
function describe({ kind, id, role, sessionId, use, idleUntil, expiresAt }: Principal): object {
  return {
    signedIn: true,
    kind,
    id,
    role,
    sessionId: sessionId ?? null,
    for: use ?? null,
    idleUntil: timeOf(idleUntil),
    expiresAt: timeOf(expiresAt),
  }
}

function timeOf(at: number | undefined): string | null {
  return at === undefined ? null : new Date(at).toISOString()
}

function withAuthorization(request: IncomingMessage, authorization: string): IncomingMessage {
  const headers = { ...request.headers, authorization }
  return Object.create(request, { headers: { value: headers } }) as IncomingMessage
}

function readSignIn(body: string): { token?: unknown; for?: unknown } {
  try {
    const value: unknown = JSON.parse(body)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

/** GraphiQL is for admins: others, who sign in at its page, get a session of the console. */
export function useFor(role: Role, asked: unknown): SessionUse {
  return asked === 'graphiql' && role === 'admin' ? 'graphiql' : 'console'
}
