import { timingSafeEqual } from 'node:crypto'

import type { Configuration } from 'openid-client'

import type { OidcSetting } from '../configuration/settings.ts'
import { boundedFetch } from '../lib/bounded-fetch.ts'
import type { AdminServices } from './services.ts'

/** Why a sign-in by OpenID Connect has no user. `message` names no secret and nothing that a client sent. */
export class OidcFailure extends Error {
  /** Whether the provider cannot be reached, so that trying again may help. */
  readonly isAway: boolean

  constructor(
    message: string,
    { isAway = false, cause }: { isAway?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause })
    this.name = 'OidcFailure'
    this.isAway = isAway
  }
}

/** A user, as the provider describes them. */
interface OidcUser {
  readonly subject: string
  readonly groups: readonly string[]
}

/** A provider of OpenID Connect. Its calls reject with `OidcFailure`. */
export interface OidcProvider {
  /**
   * Begins a sign-in. `url` is where the browser goes; `pending` stays in the browser, which proves with it
   * that it is the one that began. `asksUser`: the provider demands a sign-in also of a user whom it knows.
   */
  begin(
    redirectUrl: string,
    options: { readonly asksUser: boolean },
  ): Promise<{ readonly url: string; readonly pending: string }>
  /** Ends a sign-in of this browser (`isOwnArrival`), with the URL to which it came back. */
  finish(arrived: URL, pending: string): Promise<OidcUser>
}

/** How long a sign-in may take, in milliseconds. */
export const signInMs = 10 * 60_000

/** How long the endpoints of a provider are remembered, in milliseconds. */
const discoveredMs = 60 * 60_000

/** The longest call to a provider, in seconds. */
const callSeconds = 10

/** The largest answer of a provider, in bytes: its keys and the groups of a user have a few thousand. */
const mostBytes = 1024 * 1024

/** Whether the browser that comes back is the one that began: it has the `pending` of the URL's state. */
export function isOwnArrival({ searchParams }: URL, pending: string): boolean {
  return isEqual(searchParams.get('state') ?? '', pending.split('.')[0]!)
}

/** Creates the client of a provider. It loads its library with the first sign-in. */
export function createOidcProvider(
  setting: OidcSetting,
  { now, uptime }: Pick<AdminServices, 'now' | 'uptime'>,
): OidcProvider {
  let discovered: { at: number; configuration: Promise<Configuration> } | undefined

  async function configured(): Promise<Configuration> {
    if (!discovered || uptime() - discovered.at > discoveredMs) {
      const configuration = discover(setting)
      discovered = { at: uptime(), configuration }
      configuration.catch(() => (discovered = undefined))
    }
    return discovered.configuration
  }

  return {
    begin: (redirectUrl, { asksUser }) =>
      failing(async () => {
        const library = await import('openid-client')
        const configuration = await configured()
        const [state, nonce] = [library.randomState(), library.randomNonce()]
        const verifier = library.randomPKCECodeVerifier()
        const url = library.buildAuthorizationUrl(configuration, {
          redirect_uri: redirectUrl,
          scope: setting.scopes.join(' '),
          state,
          nonce,
          code_challenge: await library.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
          ...(asksUser && { prompt: 'login' }),
        })
        return { url: url.href, pending: [state, nonce, verifier, now().toString(36)].join('.') }
      }),

    finish: (arrived, pending) =>
      failing(async () => {
        const [state = '', nonce = '', verifier = '', begun = ''] = pending.split('.')
        // The process that it began at may have a clock that is ahead.
        const age = Math.abs(now() - Number.parseInt(begun, 36))
        if (!(age < signInMs)) throw new OidcFailure('The sign-in took too long.')
        const library = await import('openid-client')
        const configuration = await configured()
        const tokens = await library.authorizationCodeGrant(configuration, arrived, {
          pkceCodeVerifier: verifier,
          expectedState: state,
          expectedNonce: nonce,
          idTokenExpected: true,
        })
        const claims = tokens.claims()
        const subject = claims?.sub ?? ''
        if (!/^[\x21-\x7e]{1,255}$/.test(subject))
          throw new OidcFailure('The user has no valid id.')
        const named = claims?.[setting.groupsClaim]
        if (named !== undefined || !configuration.serverMetadata().userinfo_endpoint)
          return { subject, groups: groupsOf(named) }
        const user = await library.fetchUserInfo(configuration, tokens.access_token, subject)
        return { subject, groups: groupsOf(user[setting.groupsClaim]) }
      }),
  }
}

async function discover({ issuer, clientId, clientSecret }: OidcSetting): Promise<Configuration> {
  const library = await import('openid-client')
  const server = new URL(issuer)
  // The configuration permits http on loopback addresses only.
  const insecure = server.protocol === 'http:' ? [library.allowInsecureRequests] : []
  const found = await library.discovery(server, clientId, clientSecret, undefined, {
    execute: insecure,
    timeout: callSeconds,
    [library.customFetch]: boundedFetch(mostBytes),
  })
  const { token_endpoint_auth_methods_supported: methods } = found.serverMetadata()
  const takesBasic = methods === undefined || methods.includes('client_secret_basic')
  const method = takesBasic ? library.ClientSecretBasic : library.ClientSecretPost
  const configuration = new library.Configuration(
    found.serverMetadata(),
    clientId,
    clientSecret,
    method(clientSecret),
  )
  configuration.timeout = callSeconds
  configuration[library.customFetch] = boundedFetch(mostBytes)
  for (const permit of insecure) permit(configuration)
  // Checks the signature of ID tokens, although they come by https from the provider itself.
  library.enableNonRepudiationChecks(configuration)
  return configuration
}

function groupsOf(claim: unknown): readonly string[] {
  const list: unknown[] = Array.isArray(claim) ? claim : [claim]
  return list.filter((group) => typeof group === 'string')
}

/** The library's messages contain what the provider and the URL say; its codes do not. */
async function failing<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof OidcFailure) throw error
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    const isAway = error instanceof TypeError || awayCodes.has(code)
    const message = isAway ? 'The provider does not answer.' : 'The provider refuses the sign-in.'
    throw new OidcFailure(code === '' ? message : `${message.slice(0, -1)} (${code}).`, {
      isAway,
      cause: error,
    })
  }
}

const awayCodes = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
])

function isEqual(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.length === right.length && left.length > 0 && timingSafeEqual(left, right)
}
