import type { RelayedContent } from '../src/contract/attempt.ts'
import { defineDialect } from '../src/contract/dialect.ts'
import { GatewayError } from '../src/contract/errors.ts'
import type { Authenticated, Routed } from '../src/contract/exchange.ts'
import { type Operation, type Target, defineOperation } from '../src/contract/operation.ts'
import type { PassthroughRoute } from '../src/contract/passthrough.ts'
import { type GatewayPlugin, definePlugin } from '../src/contract/plugin.ts'
import { opaqueQuery, rangeHeaders } from '../src/exchange/headers.ts'
import { checkedPath } from '../src/kit/account-path.ts'
import { bearer, firstCredential, xApiKey, xGoogApiKey } from '../src/kit/credential.ts'
import { errorEnvelope } from '../src/kit/error-envelope.ts'
import { plainTokens, reportedUsage } from '../src/kit/usage.ts'
import { decodingsOf } from '../src/lib/decodings.ts'
import { objectAt } from '../src/lib/json/read.ts'
import { createNativeRequest } from '../src/upstream/native.ts'

/**
 * Returns the plugin that sends requests to paths which no dialect has to the accounts that the configuration names for
 * them, and their replies back, both as they are.
 */
export function passthrough({ routes }: { routes: readonly PassthroughRoute[] }): GatewayPlugin {
  const dialect = defineDialect({
    id: 'passthrough',
    title: 'Pass-through',
    credential: (request) => firstCredential(request, [bearer, xApiKey, xGoogApiKey]),
    error: errorEnvelope,
    operations: routes.flatMap((route) => operationsOf(route)),
  })
  return definePlugin({ name: 'passthrough', dialects: routes.length > 0 ? [dialect] : [] })
}

function operationsOf(route: PassthroughRoute): Operation[] {
  const place = route.path.replace(/\/\*$/, '')
  const paths = place === route.path ? [place] : [place, `${place}/{path*}`]
  const name = place.slice(1).replaceAll(/[^\w-]+/g, '.')
  const among = route.account === undefined ? (route.pool ?? []) : [route.account]
  const call = { model: '', stream: false, refersTo: [], edits: [], losses: [], among }
  const check = (exchange: Authenticated) => {
    assertMayUse(exchange, route)
    assertPlain(exchange)
    return call
  }
  return route.methods.map((method) =>
    defineOperation({
      id: `passthrough.${name}.${method.toLowerCase()}`,
      method,
      paths,
      auth: 'key',
      body: 'opaque',
      capability: 'passthrough',
      yields: true,
      // The client speaks the dialect of its SDK.
      shared: true,
      summary: `Passes to the account as it is`,
      replies: ['*/*'],
      // Before a large body is read.
      modelOf: check,
      understand: check,
      forward: {
        billed: 'reply',
        plan: (exchange) =>
          Promise.resolve({ outbound: createNativeRequest(exchange, targetOf(exchange)), content }),
      },
    }),
  )
}

/** A body names models that the gateway does not read, so a key with a scope needs to be named by the route. */
function assertMayUse({ caller }: Authenticated, { keys }: PassthroughRoute): void {
  const { keyId } = caller
  if (keys ? keys.includes(keyId) : caller.mayUse('*')) return
  throw new GatewayError('permission_denied', 'This key may not use this path.', {
    refusedKey: { refused: 'scope', keyId },
  })
}

/** A path goes to the account as it is, so that each server on the way has to read it alike, and no key may stand in it. */
function assertPlain({ request: { path }, credential }: Authenticated): void {
  checkedPath(path)
  const texts = decodingsOf(path)
  if (credential === undefined || !texts.some((one) => one.includes(credential))) return
  throw new GatewayError('invalid_request', 'The path contains the API key.')
}

function targetOf({ request, credential }: Routed): Target {
  const { accept = '*/*', 'content-encoding': encoding } = request.headers
  const passed = { ...(encoding && { 'content-encoding': encoding }), ...rangeHeaders(request) }
  const isPlain = credential === undefined || !accept.includes(credential)
  return {
    path: request.path,
    ownQuery: opaqueQuery(request.query, credential),
    headers: { accept: isPlain ? accept : '*/*', ...passed },
  }
}

/** Any reply. A browser runs none of it in the name of the gateway. */
const content: RelayedContent = {
  mayBeEmpty: true,
  accept() {},
  usageIn: (json) => reportedUsage(plainTokens(objectAt(json, 'usage'))),
  headers: {
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
  },
}
