import type { IncomingMessage } from 'node:http'

import { StoreUnavailable } from '../../stores/store.ts'
import type { Authenticate } from '../authenticate.ts'
import type { AuthState } from '../context.ts'
import type { Principal } from '../principal.ts'
import type { Rate } from '../../lib/rate.ts'
import type { DeniedActLog } from '../denied-acts.ts'
import type { Sessions } from '../sessions.ts'
import { networkOf } from '../../exchange/client.ts'
import { type HttpError, storeAway, tooMany, unauthenticated } from './http-error.ts'
import { noteDeniedRequest } from './note-denied.ts'
import { type SessionCookie, sessionCookieOf } from './cookies.ts'
import { faultOfCookieRequest, isOwnSite } from './site.ts'
import type { AdminRequest } from './admin-request.ts'

/** The principal of a request, or the error for a request without one. */
export type Authentication = { readonly principal: Principal } | { readonly httpError: HttpError }

/**
 * Finds who asks: by `authorization` if the request has this header, otherwise by the cookie of a session.
 * A cookie counts only for requests that the own pages send (`call`), or for those that read (`page`).
 * `watch` is a call that goes on: it does not prolong its session.
 */
export type AuthenticateRequest = (
  incoming: AdminRequest,
  as: 'call' | 'page' | 'watch',
) => Promise<Authentication>

/** Parts of `createAuthenticateRequest`. */
interface AuthenticateRequestParts {
  readonly authenticate: Authenticate
  readonly sessions: Pick<Sessions, 'find' | 'knows'>
  /** The wrong credentials that an address may send. A valid one always passes. */
  readonly guesses: Rate
  readonly deniedActs: DeniedActLog
}

/** Creates `AuthenticateRequest`. A wrong credential is in the audit log before it is refused. */
export function createAuthenticateRequest({
  authenticate,
  sessions,
  guesses,
  deniedActs,
}: AuthenticateRequestParts): AuthenticateRequest {
  /** Counts what proves nothing as a guess of the address. */
  async function guessing(
    { client }: AdminRequest,
    prove: () => Promise<Principal | undefined>,
  ): Promise<Authentication> {
    const network = networkOf(client.address)
    const wait = guesses.take(network)
    if (wait > 0) return { httpError: tooManyGuesses(wait) }
    let isWrong = false
    try {
      const authentication = authenticationOf(await prove())
      isWrong = 'httpError' in authentication
      return authentication
    } finally {
      if (!isWrong) guesses.giveBack(network)
    }
  }

  async function byToken(
    incoming: AdminRequest,
    as: 'call' | 'page' | 'watch',
  ): Promise<Authentication> {
    const { request } = incoming
    const known = await authenticate(request, 'known')
    if (known) return { principal: known }
    // A stream ends as soon as its token does, however many guesses come from its address.
    if (as === 'watch') return authenticationOf(await authenticate(request, 'latest'))
    return guessing(incoming, async () => authenticate(request, 'latest'))
  }

  async function byCookie(
    incoming: AdminRequest,
    { cookie, use: wanted }: SessionCookie,
    as: 'call' | 'page' | 'watch',
  ): Promise<Authentication> {
    const find = async (use: 'watched' | 'used') => {
      const principal = await sessions.find(cookie, use)
      return principal?.use === wanted ? principal : undefined
    }
    if (as === 'watch') return authenticationOf(await find('watched'))
    const use = isBackground(incoming.request) ? 'watched' : 'used'
    const authentication = await guessing(incoming, () => find(use))
    if (!isLimited(authentication) || !(await sessions.knows(cookie))) return authentication
    // Guesses from its address do not lock a valid session out.
    const principal = await find(use)
    return principal ? { principal } : authentication
  }

  async function find(
    incoming: AdminRequest,
    as: 'call' | 'page' | 'watch',
  ): Promise<Authentication> {
    const { request } = incoming
    const { authorization } = request.headers
    const cookie = sessionCookieOf(incoming)
    if (authorization === undefined && cookie === undefined) return { httpError: unauthenticated }
    if (authorization === undefined) {
      const isForeign = !isOwnSite(request.headers['sec-fetch-site'])
      const httpError = as !== 'page' || isForeign ? faultOfCookieRequest(request) : undefined
      if (httpError) return { httpError }
    }
    try {
      return authorization === undefined
        ? await byCookie(incoming, cookie!, as)
        : await byToken(incoming, as)
    } catch (error) {
      if (error instanceof StoreUnavailable) return { httpError: storeAway }
      throw error
    }
  }

  return async (incoming, as) => {
    const authentication = await find(incoming, as)
    if (
      'httpError' in authentication &&
      as !== 'watch' &&
      isAttempt(incoming, as, authentication.httpError)
    ) {
      await noteDeniedRequest(deniedActs, incoming, authentication.httpError)
    }
    return authentication
  }
}

/** Whether a page sends a request by itself: such requests do not keep a session alive that its user has left. */
function isBackground({ headers }: IncomingMessage): boolean {
  return headers['x-dragoman-background'] === '1' || takesEvents({ headers })
}

/** Whether a client wants the events of a subscription. */
export function takesEvents({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers.accept?.includes('text/event-stream') ?? false
}

function isLimited(authentication: Authentication): boolean {
  return 'httpError' in authentication && authentication.httpError.status === 429
}

function authenticationOf(principal: Principal | undefined): Authentication {
  return principal ? { principal } : { httpError: unauthenticated }
}

/** The codes of requests that a foreign page may have sent. */
const foreign = new Set(['CONSOLE_HEADER_REQUIRED', 'FOREIGN_ORIGIN'])

/** A page that anybody may open has no credential at first. */
function isAttempt(
  incoming: AdminRequest,
  as: 'call' | 'page',
  { status, code }: HttpError,
): boolean {
  if (foreign.has(code)) return true
  if (status !== unauthenticated.status && status !== 429) return false
  const hasCredential =
    incoming.request.headers.authorization !== undefined || sessionCookieOf(incoming) !== undefined
  return as === 'call' || hasCredential
}

function tooManyGuesses(wait: number): HttpError {
  return tooMany('Too many wrong credentials come from this address.', wait)
}

/** How long a look at a token or session counts, in milliseconds. */
const trustedMs = 1_000

/**
 * Authenticates a request again while it goes on: its token may be revoked, its session may end, and either may
 * lose its role. `look` is called if the last answer is older than a second.
 */
export function createLatestAuthentication(
  first: Authentication,
  look: () => Promise<Authentication>,
  uptime: () => number,
): () => Promise<Authentication> {
  let authentication = first
  let at = uptime()
  return async () => {
    if (uptime() - at < trustedMs) return authentication
    authentication = await look()
    at = uptime()
    return authentication
  }
}

/** The state of an authentication, for an operation that goes on. */
export function authStateOf(authentication: Authentication): AuthState {
  if ('principal' in authentication) return authentication.principal
  return authentication.httpError.status === 503 ? 'unknown' : 'over'
}
