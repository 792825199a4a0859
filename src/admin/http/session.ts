import type { IncomingMessage } from 'node:http'

import { describeError } from '../../lib/log.ts'
import { StoreUnavailable } from '../../stores/store.ts'
import type { Authenticate } from '../authenticate.ts'
import { describeActor } from '../context.ts'
import type { FindToken } from '../grants.ts'
import type { AdminLimits } from '../limits.ts'
import type { Principal } from '../principal.ts'
import { type Rate, createRate } from '../rate.ts'
import type { AdminServices } from '../services.ts'
import type { Grant, Rights, Sessions } from '../sessions.ts'
import { readJson } from './body.ts'
import { networkOf } from './client.ts'
import { cookieOf, readCookie, sessionCookie } from './cookies.ts'
import {
  type Refusal,
  refuse,
  sendEmpty,
  sendJson,
  storeAway,
  tooMany,
  unauthenticated,
  wrongMethod,
} from './refusal.ts'
import type { AdminRequest } from './admin-request.ts'
import { noteLimit } from './refused.ts'
import type { AuthenticateRequest } from './authentication.ts'

/** The path at which sessions begin and end. */
export const sessionPath = '/session'

/** What has been proven at a sign-in. */
interface Proof {
  readonly grant: Grant
  readonly rights: Rights
}

/** Begins sessions, within the rate of attempts and with an audit record for each. */
export interface SignIn {
  /** Takes one attempt of the client's address. */
  attempt(incoming: AdminRequest): Promise<Refusal | undefined>
  /** Gives an attempt back that has succeeded, or has tried nothing. */
  excuse(incoming: AdminRequest): void
  /** Begins a session, and sets its cookie. The session that the client had ends. */
  succeed(
    incoming: AdminRequest,
    proof: Proof,
  ): Promise<{ principal: Principal } | { refusal: Refusal }>
  /** Notes a refused attempt, and the user who has proven who they are. Returns what the client is answered. */
  fail(incoming: AdminRequest, why: string, user?: string): Promise<Refusal>
}

/** Parts of `createSignIn` and `createSessionRoutes`. */
interface SignInParts {
  readonly services: AdminServices
  readonly sessions: Sessions
  readonly limits: AdminLimits
}

/** Creates what all ways to sign in share. */
export function createSignIn({ services, sessions, limits }: SignInParts): SignIn {
  const { uptime, audit, refusals, log } = services
  const minute = { windowMs: 60_000, uptime }
  const attempts: Rate = createRate({ ...minute, amount: limits.attemptsPerMinute })
  const begun: Rate = createRate({ ...minute, amount: limits.sessionsPerMinute })
  const keyOf = ({ client }: AdminRequest) => networkOf(client.address)
  const noteRefused = ({ client, agent, requestId }: AdminRequest, message: string, user: string) =>
    refusals.note({
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
      const refusal = tooMany('Too many attempts to sign in from this address.', wait)
      await noteLimit(refusals, incoming, refusal)
      return refusal
    },
    excuse(incoming) {
      attempts.giveBack(keyOf(incoming))
    },
    async succeed(incoming, { grant, rights }) {
      const { client, agent, request, response, requestId } = incoming
      const user = grant.kind === 'token' ? grant.id : `oidc/${grant.subject}`
      const wait = begun.take(user)
      if (wait > 0) {
        const refusal = tooMany('Too many sessions begin.', wait)
        await noteRefused(incoming, refusal.message, user)
        return { refusal }
      }
      const from = { address: client.address, agent }
      const { cookie, principal, begin } = sessions.prepare(grant, rights, from)
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
      const former = await sessions.find(readCookie(request, sessionCookie, client) ?? '')
      if (former) await sessions.end(former.sessionId!)
      response.appendHeader('set-cookie', cookieOf(sessionCookie, cookie, client))
      return { principal }
    },
    async fail(incoming, message, user = 'none') {
      await noteRefused(incoming, message, user)
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
  },
): (incoming: AdminRequest) => Promise<void> {
  const { services, sessions, limits, signIn, authenticate, authenticateRequest, findToken } = parts

  async function begin(incoming: AdminRequest): Promise<void> {
    const { request, response } = incoming
    const credential = await credentialOf(incoming)
    if ('refusal' in credential) return refuse(response, credential.refusal)
    const authorized = withAuthorization(request, credential.authorization)
    // Guesses from its address do not lock a valid token out.
    const known = await authenticate(authorized, 'known')
    const busy = known ? undefined : await signIn.attempt(incoming)
    if (busy) return refuse(response, busy)
    const principal = known ?? (await tryToken(incoming, authorized))
    const token = principal?.kind === 'token' ? await findToken(principal.id) : undefined
    if (!principal || !token)
      return refuse(response, await signIn.fail(incoming, 'The token is not valid.'))
    const { id, role, expiresAt } = principal
    const begun = await signIn.succeed(incoming, {
      grant: { kind: 'token', id, hash: token.hash },
      rights: { role, ...(expiresAt !== undefined && { expiresAt }) },
    })
    if ('refusal' in begun) return refuse(response, begun.refusal)
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

  /** From the header or from the body: `{"token": "..."}`. */
  async function credentialOf({
    request,
    response,
  }: AdminRequest): Promise<{ authorization: string } | { refusal: Refusal }> {
    const { authorization } = request.headers
    if (authorization !== undefined) return { authorization }
    const body = await readJson(response, limits)
    if ('refusal' in body) return body
    const token = tokenOf(body.text)
    return { authorization: `Bearer ${token}` }
  }

  async function end(incoming: AdminRequest): Promise<void> {
    const { response, requestId, client, agent } = incoming
    const authentication = await authenticateRequest(incoming, 'call')
    if ('refusal' in authentication) return refuse(response, authentication.refusal)
    const { principal } = authentication
    const id = principal.sessionId
    if (id === undefined)
      return refuse(response, {
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
    for (const isSecure of [true, false])
      response.appendHeader('set-cookie', cookieOf(sessionCookie, '', { isSecure, maxAge: 0 }))
    return sendEmpty(response, 204)
  }

  async function show(incoming: AdminRequest): Promise<void> {
    const { response } = incoming
    const authentication = await authenticateRequest(incoming, 'page')
    if ('refusal' in authentication) return refuse(response, authentication.refusal)
    return sendJson(response, 200, describe(authentication.principal))
  }

  const methods: Partial<Record<string, (incoming: AdminRequest) => Promise<void>>> = {
    POST: begin,
    GET: show,
    DELETE: end,
  }
  return async (incoming) => {
    const serve = methods[incoming.request.method!]
    if (!serve) return refuse(incoming.response, wrongMethod('GET, POST, DELETE'))
    try {
      await serve(incoming)
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      await refuse(incoming.response, storeAway)
    }
  }
}

/** Who is signed in, for the console. */
function describe({ kind, id, role, sessionId, expiresAt }: Principal): object {
  return {
    kind,
    id,
    role,
    sessionId: sessionId ?? null,
    expiresAt: expiresAt === undefined ? null : new Date(expiresAt).toISOString(),
  }
}

function withAuthorization(request: IncomingMessage, authorization: string): IncomingMessage {
  const headers = { ...request.headers, authorization }
  return Object.create(request, { headers: { value: headers } }) as IncomingMessage
}

/** The token of a body; an invalid token if the body lacks one, so that every failure takes the same way. */
function tokenOf(body: string): string {
  try {
    const value: unknown = JSON.parse(body)
    const token = typeof value === 'object' && value !== null && 'token' in value ? value.token : ''
    return typeof token === 'string' && token !== '' ? token : 'none'
  } catch {
    return 'none'
  }
}
