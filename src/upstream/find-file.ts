import { GatewayError } from '../contract/errors.ts'
import type { Routed } from '../contract/exchange.ts'
import type { Reply } from '../contract/outcome.ts'
import { rootOf } from '../kit/account-path.ts'
import type { AccountCall } from '../media/account-call.ts'
import type { RunningAttempt } from './running-attempt.ts'
import type { AttemptContext } from './settle.ts'
import { attemptOnce } from './attempt-once.ts'
import { createAccountRequest } from './outbound.ts'
import type { AttemptEnvironment } from './environment.ts'
import { type FileLocation, foreignLocation, redirectOf } from './redirects.ts'

/** The most redirects that a download follows. */
const maxRedirects = 5

/** A file to download from an account. */
interface FileRequest {
  /** The call to the account that returns the file, or the URL that the account gave for it. */
  readonly place: AccountCall | URL
  /** Headers about the file itself, such as `range`. They go to foreign hosts as well. */
  readonly headers: Readonly<Record<string, string>>
  readonly environment: AttemptEnvironment
  attemptFor(context: AttemptContext, environment: AttemptEnvironment): RunningAttempt
  /** The error for a request to the account itself that failed. */
  accountError(error: unknown): unknown
}

/**
 * Downloads a file from an account and follows its redirects, to other hosts too. Requests to other
 * hosts carry no data of the account and skip the `onAttempt` hooks. Rejects as `attemptOnce` does.
 */
export async function findFile(exchange: Routed, request: FileRequest): Promise<Reply> {
  const { environment, attemptFor } = request
  const { hooks, client, translation } = environment
  const { remote } = translation
  const foreignEnvironment = { ...environment, client: { ...client, send: remote.send } }
  let place = firstLocation(exchange, request)
  for (let hops = 0; ; hops++) {
    const { outbound, isForeign } = place
    const attemptHooks = isForeign ? { ...hooks, attempt: undefined } : hooks
    try {
      return await attemptOnce(exchange, outbound, attemptHooks, (context) =>
        attemptFor(context, isForeign ? foreignEnvironment : environment),
      )
    } catch (error) {
      const next = hops < maxRedirects ? redirectOf(error, place, remote) : undefined
      if (!next) throw isForeign ? error : request.accountError(error)
      place = next
    }
  }
}

function firstLocation(
  exchange: Routed,
  { place, headers, environment }: FileRequest,
): FileLocation {
  const { account, dialect } = exchange.candidate
  const fileHeaders = { accept: '*/*', 'accept-encoding': 'identity', ...headers }
  if (!(place instanceof URL)) return locationOnAccount(exchange, place, fileHeaders)
  // A URL where the account is asked in this dialect is requested with the account's credential.
  if (place.origin === rootOf(account, dialect).origin) {
    const { outbound } = locationOnAccount(exchange, { method: 'GET', path: '/' }, fileHeaders)
    return { outbound: { ...outbound, path: place.pathname + place.search }, isForeign: false }
  }
  const location = foreignLocation(place, fileHeaders, environment.translation.remote)
  if (location) return location
  const message = 'The account stores this file at an address that the gateway may not fetch.'
  throw new GatewayError('upstream_invalid_reply', message)
}

function locationOnAccount(
  exchange: Routed,
  call: AccountCall,
  headers: FileRequest['headers'],
): FileLocation {
  const outbound = createAccountRequest(exchange, call)
  return {
    outbound: { ...outbound, headers: { ...outbound.headers, ...headers } },
    isForeign: false,
  }
}
