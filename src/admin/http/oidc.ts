import type { IncomingMessage } from 'node:http'

import { oidcCallbackPath } from '../../configuration/admin-schema.ts'
import type { OidcSetting } from '../../configuration/settings.ts'
import { describeError } from '../../lib/log.ts'
import { isLoopbackHost } from '../../lib/hosts.ts'
import { StoreUnavailable } from '../../stores/store.ts'
import { accessOf, isPage } from './site.ts'
import { roleOfGroups } from '../grants.ts'
import {
  OidcFailure,
  type OidcProvider,
  createOidcProvider,
  isOwnArrival,
  signInMs,
} from '../oidc.ts'
import { createRate } from '../../lib/rate.ts'
import type { AdminServices } from '../services.ts'
import { networkOf } from '../../exchange/client.ts'
import { cookieOf, readCookie } from './cookies.ts'
import { graphiqlPath } from './page-style.ts'
import { refusedPage, sendPage, signInPage, signedInPage } from './pages.ts'
import {
  type HttpError,
  sendHttpError,
  storeAway,
  tooMany,
  unauthenticated,
  wrongMethod,
} from './http-error.ts'
import { noteLimit } from './note-denied.ts'
import { returnPathOf } from './return-path.ts'
import { type SignIn, useFor } from './session.ts'
import type { AdminRequest } from './admin-request.ts'

/** The path at which a sign-in by OpenID Connect begins. */
export const oidcPath = '/session/oidc'

/** The cookie of a browser whose user is at the provider. */
const pendingCookie = 'dragoman_sign_in'

/** The sign-ins that one address may begin in a minute. */
const begunPerMinute = 30

/** Options of `createOidcRoutes`. */
interface OidcRoutesOptions {
  readonly services: AdminServices
  readonly signIn: SignIn
}

/** Serves the beginning and the end of sign-ins by OpenID Connect, where the configuration has a provider. */
export function createOidcRoutes({
  services,
  signIn,
}: OidcRoutesOptions): (incoming: AdminRequest, isCallback: boolean) => Promise<void> {
  const { settings, uptime, log, deniedActs } = services
  const begun = createRate({ amount: begunPerMinute, windowMs: 60_000, uptime })
  const providerOf = providerReader(services)
  const hasConsole = () => accessOf(settings()).console !== false
  const sendSignInError = (incoming: AdminRequest, httpError: HttpError, problem?: string) =>
    sendRefusal(incoming, httpError, hasConsole(), problem)

  async function begin(incoming: AdminRequest, setting: OidcSetting): Promise<void> {
    const { request, response, client } = incoming
    const wait = begun.take(networkOf(client.address))
    if (wait > 0) {
      const httpError = tooMany('Too many sign-ins begin from this address.', wait)
      await noteLimit(deniedActs, incoming, httpError)
      return sendSignInError(incoming, httpError, httpError.message)
    }
    const asked = URL.parse(request.url!, 'http://own')?.searchParams.get('return')
    const redirectUrl = redirectUrlOf(request, setting, client.isSecure)
    const returnTo = returnPathOf(asked, hasConsole())
    const { url, pending } = await providerOf(setting).begin(redirectUrl.href, {
      // A script in a page could begin it, and a provider that knows the user would ask nothing.
      asksUser: returnTo === graphiqlPath,
    })
    const isSecure = redirectUrl.protocol === 'https:'
    response.setHeader(
      'set-cookie',
      // The browser comes back from another site.
      cookieOf(pendingCookie, withReturn(pending, returnTo), {
        isSecure,
        sameSite: 'Lax',
        maxAge: signInMs / 1000,
      }),
    )
    response.writeHead(302, { location: url }).end()
  }

  async function finish(incoming: AdminRequest, setting: OidcSetting): Promise<void> {
    const { request, response, client } = incoming
    const arrived = redirectUrlOf(request, setting, client.isSecure)
    arrived.search = URL.parse(request.url!, arrived)?.search ?? ''
    const isSecure = arrived.protocol === 'https:'
    const pending = readCookie(request, pendingCookie, { isSecure }) ?? ''
    const returnTo = returnPathIn(pending, hasConsole())
    // Any page can send the browser here: an arrival that the browser has not begun itself changes nothing.
    if (!isOwnArrival(arrived, pending)) return sendSignInError(incoming, unauthenticated)
    const busy = await signIn.attempt(incoming)
    if (busy) return sendSignInError(incoming, busy, busy.message)
    response.setHeader('set-cookie', cookieOf(pendingCookie, '', { isSecure, maxAge: 0 }))
    const { subject, groups } = await providerOf(setting)
      .finish(arrived, pending)
      .catch((error: unknown) => {
        if (error instanceof OidcFailure && error.isAway) signIn.excuse(incoming)
        throw error
      })
    const known = groups.filter((group) => Object.hasOwn(setting.roles, group))
    const role = roleOfGroups(known, setting)
    if (!role) throw new WithoutRole(subject)
    signIn.excuse(incoming)
    const done = await signIn.succeed(
      { ...incoming, client: { ...client, isSecure } },
      {
        grant: { kind: 'oidc', issuer: setting.issuer, subject, groups: known },
        rights: { role },
        use: useFor(role, returnTo === graphiqlPath ? 'graphiql' : 'console'),
      },
    )
    if ('httpError' in done)
      return sendSignInError(incoming, done.httpError, done.httpError.message)
    response.setHeader('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
    return sendPage(response, 200, signedInPage(returnTo))
  }

  async function fail(incoming: AdminRequest, error: unknown): Promise<void> {
    if (error instanceof StoreUnavailable)
      return sendSignInError(incoming, storeAway, storeAway.message)
    if (!(error instanceof OidcFailure)) throw error
    if (!error.isAway) {
      const httpError = await signIn.fail(incoming, error.message, userOf(error))
      return sendSignInError(incoming, httpError)
    }
    log.warn('the provider of OpenID Connect failed', describeError(error))
    return sendSignInError(incoming, providerAway, providerAway.message)
  }

  return async (incoming, isCallback) => {
    const { request, response } = incoming
    const { oidc } = accessOf(settings())
    if (request.method !== 'GET') return sendHttpError(response, wrongMethod('GET'))
    if (!oidc) return sendHttpError(response, notConfigured)
    if (!isPage(request)) return sendHttpError(response, noPage)
    try {
      await (isCallback ? finish(incoming, oidc) : begin(incoming, oidc))
    } catch (error) {
      await fail(incoming, error).catch((failed: unknown) => {
        if (!(failed instanceof StoreUnavailable)) throw failed
        return sendSignInError(incoming, storeAway, storeAway.message)
      })
    }
  }
}

/** The provider knows the user, and the configuration gives them no role. */
class WithoutRole extends OidcFailure {
  readonly subject: string

  constructor(subject: string) {
    super('None of the groups of the user has a role.')
    this.subject = subject
  }
}

function userOf(error: OidcFailure): string | undefined {
  return error instanceof WithoutRole ? `oidc/${error.subject}` : undefined
}

/** Says why the sign-in failed; for GraphiQL on the page that asks for a token. */
function sendRefusal(
  { request, response, client }: AdminRequest,
  { status, headers }: HttpError,
  hasConsole: boolean,
  problem = 'The sign-in was refused.',
): void {
  const returnTo = returnPathIn(readCookie(request, pendingCookie, client) ?? '', hasConsole)
  const isGraphiQL = returnTo === graphiqlPath
  const page = isGraphiQL ? signInPage(oidcPath, problem) : refusedPage(problem, returnTo)
  response.setHeader(
    'content-security-policy',
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; frame-ancestors 'none'",
  )
  sendPage(response, status, page, headers)
}

/** The cookie of a sign-in that has begun. It says where the sign-in returns. */
function withReturn(pending: string, returnPath: string): string {
  return `${pending}.${Buffer.from(returnPath).toString('base64url')}`
}

/** Another server on this host may have set the cookie. */
function returnPathIn(cookie: string, hasConsole: boolean): string {
  const path = Buffer.from(cookie.split('.')[4] ?? '', 'base64url').toString()
  return returnPathOf(path, hasConsole)
}

const notConfigured: HttpError = {
  status: 404,
  code: 'NOT_FOUND',
  message: 'No provider of OpenID Connect is configured: `admin.oidc`.',
}

const noPage: HttpError = {
  status: 403,
  code: 'NOT_A_PAGE',
  message: 'A sign-in is a page of its own, not a part of another one.',
}

const providerAway: HttpError = {
  status: 503,
  code: 'PROVIDER_UNAVAILABLE',
  message: 'The provider of the sign-in does not answer. Try again.',
  headers: { 'retry-after': '5' },
}

/** Reads the provider that the configuration of now names. */
function providerReader(
  clocks: Pick<AdminServices, 'now' | 'uptime'>,
): (setting: OidcSetting) => OidcProvider {
  let known: OidcSetting | undefined
  let provider: OidcProvider
  return (setting) => {
    if (setting !== known) {
      known = setting
      provider = createOidcProvider(setting, clocks)
    }
    return provider
  }
}

/** Other hosts than loopback ones are reached by https alone. */
function redirectUrlOf({ headers }: IncomingMessage, setting: OidcSetting, isSecure: boolean): URL {
  if (setting.redirectUrl !== undefined) return new URL(setting.redirectUrl)
  const { hostname } = new URL(`http://${headers.host}`)
  const isPlain = isLoopbackHost(hostname) && !isSecure
  return new URL(`http${isPlain ? '' : 's'}://${headers.host}${oidcCallbackPath}`)
}
