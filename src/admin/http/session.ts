import type { IncomingMessage } from 'node:http'

import { describeError } from '../../lib/log.ts'
import { StoreUnavailable } from '../../stores/store.ts'
import type { Authenticate } from '../authenticate.ts'
import { describeActor } from '../act.ts'
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
import type { Visit } from './visit.ts'
import { noteLimit } from './refused.ts'
import type { FindWho } from './who.ts'

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
  attempt(visit: Visit): Promise<Refusal | undefined>
  /** Gives an attempt back that has succeeded, or has tried nothing. */
  excuse(visit: Visit): void
  /** Begins a session, and sets its cookie. The session that the client had ends. */
  succeed(visit: Visit, proof: Proof): Promise<{ principal: Principal } | { refusal: Refusal }>
  /** Notes a refused attempt, and the user who has proven who they are. Returns what the client is answered. */
  fail(visit: Visit, why: string, user?: string): Promise<Refusal>
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
  const keyOf = ({ client }: Visit) => networkOf(client.address)
  const noteRefused = ({ client, agent, requestId }: Visit, message: string, user: string) =>
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
    async attempt(visit) {
      const wait = attempts.take(keyOf(visit))
      if (wait <= 0) return undefined
      const refusal = tooMany('Too many attempts to sign in from this address.', wait)
      await noteLimit(refusals, visit, refusal)
      return refusal
    },
    excuse(visit) {
      attempts.giveBack(keyOf(visit))
    },
    async succeed(visit, { grant, rights }) {
      const { client, agent, request, response, requestId } = visit
      const user = grant.kind === 'token' ? grant.id : `oidc/${grant.subject}`
      const wait = begun.take(user)
      if (wait > 0) {
        const refusal = tooMany('Too many sessions begin.', wait)
        await noteRefused(visit, refusal.message, user)
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
    async fail(visit, message, user = 'none') {
      await noteRefused(visit, message, user)
      return unauthenticated
    },
  }
}

/** Serves `/session`: POST begins a session with a token, GET says whose it is, DELETE ends it. */
export function createSessionRoutes(
  parts: SignInParts & {
    readonly signIn: SignIn
    readonly authenticate: Authenticate
    readonly findWho: FindWho
    readonly findToken: FindToken
  },
): (visit: Visit) => Promise<void> {
  const { services, sessions, limits, signIn, authenticate, findWho, findToken } = parts

  async function begin(visit: Visit): Promise<void> {
    const { request, response } = visit
    const credential = await credentialOf(visit)
    if ('refusal' in credential) return refuse(response, credential.refusal)
    const authorized = withAuthorization(request, credential.authorization)
    // Guesses from its address do not lock a valid token out.
    const known = await authenticate(authorized, 'known')
    const busy = known ? undefined : await signIn.attempt(visit)
    if (busy) return refuse(response, busy)
    const principal = known ?? (await tryToken(visit, authorized))
    const token = principal?.kind === 'token' ? await findToken(principal.id) : undefined
    if (!principal || !token)
      return refuse(response, await signIn.fail(visit, 'The token is not valid.'))
    const { id, role, expiresAt } = principal
    const begun = await signIn.succeed(visit, {
      grant: { kind: 'token', id, hash: token.hash },
      rights: { role, ...(expiresAt !== undefined && { expiresAt }) },
    })
    if ('refusal' in begun) return refuse(response, begun.refusal)
    return sendJson(response, 201, describe(begun.principal))
  }

  /** A token that is valid, or a store that cannot say so, uses up no attempt. */
  async function tryToken(
    visit: Visit,
    authorized: IncomingMessage,
  ): Promise<Principal | undefined> {
    let isWrong = false
    try {
      const principal = await authenticate(authorized, 'latest')
      isWrong = principal === undefined
      return principal
    } finally {
      if (!isWrong) signIn.excuse(visit)
    }
  }

  /** From the header or from the body: `{"token": "..."}`. */
  async function credentialOf({
    request,
    response,
  }: Visit): Promise<{ authorization: string } | { refusal: Refusal }> {
    const { authorization } = request.headers
    if (authorization !== undefined) return { authorization }
    const body = await readJson(response, limits)
    if ('refusal' in body) return body
    const token = tokenOf(body.text)
    return { authorization: `Bearer ${token}` }
  }

  async function end(visit: Visit): Promise<void> {
    const { response, requestId, client, agent } = visit
    const who = await findWho(visit, 'call')
    if ('refusal' in who) return refuse(response, who.refusal)
    const { principal } = who
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

  async function show(visit: Visit): Promise<void> {
    const { response } = visit
    const who = await findWho(visit, 'page')
    if ('refusal' in who) return refuse(response, who.refusal)
    return sendJson(response, 200, describe(who.principal))
  }

  const methods: Partial<Record<string, (visit: Visit) => Promise<void>>> = {
    POST: begin,
    GET: show,
    DELETE: end,
  }
  return async (visit) => {
    const serve = methods[visit.request.method!]
    if (!serve) return refuse(visit.response, wrongMethod('GET, POST, DELETE'))
    try {
      await serve(visit)
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      await refuse(visit.response, storeAway)
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

/** A text that is no token if the body has none, so that every failure takes the same way. */
function tokenOf(body: string): string {
  try {
    const value: unknown = JSON.parse(body)
    const token = typeof value === 'object' && value !== null && 'token' in value ? value.token : ''
    return typeof token === 'string' && token !== '' ? token : 'none'
  } catch {
    return 'none'
  }
}
