import type { DialectInfo } from '../contract/dialect-info.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Authenticated, Ended, Identified, Received } from '../contract/exchange.ts'
import type { Operation } from '../contract/operation.ts'
import type { Caller, ClientRequest, RefusedKey } from '../contract/request.ts'
import { type MaybePromise, isThenable } from '../lib/maybe-promise.ts'
import { type Rate, createRate } from '../lib/rate.ts'
import { networkOf } from './client.ts'
import { enterAuthenticated, enterDialect, enterIdentified } from './record.ts'
import { type Route, type Router, mismatchError } from './routes.ts'
import {
  findIdBeginnings,
  findMeantEndpoint,
  findPathOwner,
  unknownEndpoint,
} from './unknown-endpoint.ts'

/**
 * Finds the operation and its dialect by method and path, without reading the body. On a path that
 * several dialects share, the headers decide the dialect. Throws `GatewayError` `not_found` or
 * `method_not_allowed`, which the exchange's dialect formats.
 */
export function identify(
  exchange: Received,
  router: Router,
  findClaimant: FindClaimant,
): { readonly identified: Identified; readonly operation: Operation } {
  const { request } = exchange
  const method = routedMethod(request)
  const match = router.match(method, request.path)
  const place = 'allowed' in match ? match.at : match.route
  if (!place) throw unknownPath(exchange, router, findClaimant)
  const dialect = dialectOf(place, request, findClaimant)
  if ('allowed' in match) {
    enterDialect(exchange, dialect)
    throw mismatchError(match, request.method)
  }
  const rival = match.rivals?.find((one) => isClaimed(one.dialect, request))
  if (rival) {
    const { dialect: own, operation } = rival
    return { identified: enterIdentified(exchange, own, operation, match.params), operation }
  }
  const { operation } = place
  return { identified: enterIdentified(exchange, dialect, operation, match.params), operation }
}

function routedMethod({ method }: ClientRequest): string {
  return method === 'HEAD' ? 'GET' : method
}

function dialectOf(
  { operation, dialect }: Route,
  request: ClientRequest,
  findClaimant: FindClaimant,
): DialectInfo {
  return (operation.shared && findClaimant(request)) || dialect
}

/**
 * The error is formatted by the dialect of the endpoint that the client probably means. Without one,
 * path and headers name the dialect whose client is asking, else the dialect that has the operations there.
 */
function unknownPath(exchange: Received, router: Router, findClaimant: FindClaimant): GatewayError {
  const { request } = exchange
  const { path } = request
  const asked = { method: routedMethod(request), path }
  const meant = findMeantEndpoint(router, asked)
  const dialect = meant
    ? dialectOf(meant.route, { ...request, path: meant.path }, findClaimant)
    : (findClaimant(request) ?? findPathOwner(router, path))
  if (dialect) enterDialect(exchange, dialect)
  const isDescribed = router.routes.some(({ pattern }) => pattern === '/openapi.json')
  const beginnings = findIdBeginnings(router, asked)
  return unknownEndpoint(request, { meant: meant?.path, beginnings, isDescribed })
}

/** A dialect whose `claims` throws claims nothing. */
function isClaimed(dialect: DialectInfo, request: ClientRequest): boolean {
  try {
    return dialect.claims?.(request) ?? false
  } catch {
    return false
  }
}

/** Finds the dialect whose client sent a request, by its path and headers, where no single dialect owns the path. */
type FindClaimant = (request: ClientRequest) => DialectInfo | undefined

/** A dialect whose `claims` throws claims nothing: paths that others share keep their dialect. */
export function createFindClaimant(
  dialects: readonly DialectInfo[],
  report: (message: string, error: unknown) => void,
): FindClaimant {
  const isClaimed = (dialect: DialectInfo, request: ClientRequest) => {
    try {
      return dialect.claims?.(request)
    } catch (error) {
      report(`${dialect.id}: claims failed`, error)
      return false
    }
  }
  return (request) => dialects.find((dialect) => isClaimed(dialect, request))
}

/** Returns the caller that a plugin finds for a credential, or the key that it refuses. */
type FindCaller = (
  exchange: Identified,
  credential: string | undefined,
) => MaybePromise<Caller | RefusedKey | undefined>

/** The wrong keys that one address may send in a minute. */
const guessesPerMinute = 60

/** Creates the rate of wrong keys by address. */
export function createGuesses(uptime: () => number = () => performance.now()): Rate {
  return createRate({ amount: guessesPerMinute, windowMs: 60_000, uptime })
}

/**
 * Finds the caller. Throws, or rejects with, `GatewayError` `unauthenticated`, and `rate_limited` after too many wrong
 * keys of an address. A valid key always passes.
 */
export function authenticate(
  exchange: Identified,
  findCaller: FindCaller,
  guesses: Rate,
): MaybePromise<Authenticated> {
  const credential = exchange.dialect.credential(exchange.request)
  const enter = (found: Caller | RefusedKey | undefined) => {
    if (!found || isRefused(found)) throw refusal(exchange, credential, guesses, found)
    return enterAuthenticated(exchange, found, credential)
  }
  const found = findCaller(exchange, credential)
  return isThenable(found) ? found.then(enter) : enter(found)
}

/**
 * Sets the caller of a dry run, which has no credential. Throws `GatewayError` `unauthenticated`, as for a
 * key that is not valid, if there is no caller.
 */
export function authenticateAs(exchange: Identified, caller: Caller | undefined): Authenticated {
  if (!caller) throw unauthenticated(exchange, '')
  return enterAuthenticated(exchange, caller, undefined)
}

/** The message does not reveal which keys exist. */
function unauthenticated(
  { dialect }: Identified,
  credential: string | undefined,
  refusedKey?: RefusedKey,
): GatewayError {
  if (credential !== undefined) {
    return new GatewayError('unauthenticated', 'The API key is not valid.', { refusedKey })
  }
  const { credentialAs = ['Authorization: Bearer KEY'] } = dialect
  const places = credentialAs.map((place) => `\`${place}\``).join(' or ')
  const message = `The API key is missing: send it as ${places}.`
  return new GatewayError('unauthenticated', message, { refusedKey })
}

/** The error for a caller that is not found. A request without a key is no guess. */
function refusal(
  exchange: Identified,
  credential: string | undefined,
  guesses: Rate,
  refusedKey?: RefusedKey,
): GatewayError {
  const network = networkOf(exchange.request.remoteAddress)
  const wait = credential === undefined ? 0 : guesses.take(network)
  if (wait > 0) return tooManyGuesses(wait, refusedKey)
  return unauthenticated(exchange, credential, refusedKey)
}

/** SDKs would send the same wrong key again. */
function tooManyGuesses(retryAfterMs: number, refusedKey?: RefusedKey): GatewayError {
  const message = 'The API key is not valid, and too many such keys come from this address.'
  return new GatewayError('rate_limited', message, { retryAfterMs, retry: false, refusedKey })
}

/** Whether a plugin knows a key and refuses it. */
export function isRefused(found: Caller | RefusedKey): found is RefusedKey {
  return (found as Partial<RefusedKey>).refused !== undefined
}

/** The id of the key of an exchange, for operators: also of a key that is known and was refused. */
export function knownKeyId({ caller, progress }: Ended): string | undefined {
  return caller?.keyId ?? progress.error?.refusedKey?.keyId
}
