import type { DialectInfo } from '../contract/dialect-info.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Authenticated, Identified, Received } from '../contract/exchange.ts'
import type { Operation } from '../contract/operation.ts'
import type { Caller, ClientRequest } from '../contract/request.ts'
import { type MaybePromise, isThenable } from '../lib/maybe-promise.ts'
import { enterAuthenticated, enterDialect, enterIdentified } from './record.ts'
import { type Router, noSuchEndpoint } from './routes.ts'

/**
 * Finds the operation by method and path, and so the dialect, without touching the body; on a path
 * that dialects share, the headers name the dialect. Throws `GatewayError` `not_found` or
 * `method_not_allowed`, which the exchange's dialect then words.
 */
export function identify(
  exchange: Received,
  router: Router,
  dialects: readonly DialectInfo[],
): { readonly identified: Identified; readonly operation: Operation } {
  const { method, path } = exchange.request
  const match = router.match(method === 'HEAD' ? 'GET' : method, path)
  const place = 'allowed' in match ? match.at : match.route
  if (!place) throw unknownPath(exchange, dialects)
  const { operation } = place
  const dialect = (operation.shared && claimant(dialects, exchange.request)) || place.dialect
  if ('allowed' in match) {
    enterDialect(exchange, dialect)
    throw noSuchEndpoint(match, method)
  }
  return { identified: enterIdentified(exchange, dialect, operation, match.params), operation }
}

/** On an unknown path only the path picks the error envelope; headers are no hint here. */
function unknownPath(exchange: Received, dialects: readonly DialectInfo[]): GatewayError {
  const dialect = claimant(dialects, { ...exchange.request, headers: {} })
  if (dialect) enterDialect(exchange, dialect)
  return noSuchEndpoint({ allowed: [] })
}

/** The dialect whose client sent a request to a shared path. */
export function claimant(
  dialects: readonly DialectInfo[],
  request: ClientRequest,
): DialectInfo | undefined {
  return dialects.find((dialect) => dialect.claims?.(request))
}

/** Asks the plugins for the caller behind a credential. */
export type FindCaller = (
  exchange: Identified,
  credential: string | undefined,
) => MaybePromise<Caller | undefined>

/** Finds the caller. Throws, or rejects with, `GatewayError` `unauthenticated`. */
export function authenticate(
  exchange: Identified,
  findCaller: FindCaller,
): MaybePromise<Authenticated> {
  const credential = exchange.dialect.credential(exchange.request)
  const enter = (caller: Caller | undefined) => {
    if (!caller) throw unauthenticated(exchange, credential)
    return enterAuthenticated(exchange, caller, credential)
  }
  const caller = findCaller(exchange, credential)
  return isThenable(caller) ? caller.then(enter) : enter(caller)
}

/** The message does not reveal which keys exist. */
function unauthenticated({ dialect }: Identified, credential: string | undefined): GatewayError {
  if (credential !== undefined) {
    return new GatewayError('unauthenticated', 'The API key is not valid.')
  }
  const { credentialAs = ['Authorization: Bearer KEY'] } = dialect
  const places = credentialAs.map((place) => `\`${place}\``).join(' or ')
  return new GatewayError('unauthenticated', `There is no API key: send it as ${places}.`)
}
