import { Declined } from '../../../src/contract/attempt.ts'
import type { Call } from '../../../src/contract/call.ts'
import { GatewayError } from '../../../src/contract/errors.ts'
import type { Authenticated, Routed } from '../../../src/contract/exchange.ts'
import { defineOperation } from '../../../src/contract/operation.ts'
import type { Outbound } from '../../../src/contract/outbound.ts'
import type { ClientRequest } from '../../../src/contract/request.ts'
import { acceptSocket, upgradeRequired } from '../../../src/kit/accept-socket.ts'
import { wrong } from '../../../src/kit/checks.ts'
import { createNativeRequest } from '../../../src/upstream/native.ts'
import type { EphemeralKeys, PreparedSession } from '../../../src/accounts/ephemeral-keys.ts'
import { offeredProtocols } from './protocols.ts'
import { Relay } from './relay.ts'
import type { Turns } from './turns.ts'

const path = '/v1/realtime'

/** The id of the operation that ephemeral keys open. */
export const connectId = 'realtime.connect'

interface ConnectCall extends Call {
  /** The session that the account has prepared. Absent: the client has an API key. */
  readonly prepared?: PreparedSession
}

/** The parts of `connect`. */
interface ConnectParts {
  readonly ephemeral: EphemeralKeys
  readonly turns: Turns
}

/** Defines `GET /v1/realtime`: a WebSocket to an account that speaks the same. */
export function connect({ ephemeral, turns }: ConnectParts) {
  return defineOperation<ConnectCall>({
    id: connectId,
    method: 'GET',
    paths: [path],
    auth: 'key',
    body: 'none',
    capability: 'realtime',
    upgrades: true,
    summary: 'Open a realtime session (WebSocket)',
    status: 101,
    replies: [],
    understand: (exchange) => understand(exchange, ephemeral.sessionOf(exchange.caller)),
    forward: {
      billed: 'reply',
      async plan(exchange) {
        const { prepared } = exchange.call
        return {
          outbound: requestOf(exchange, prepared?.upstreamSecret),
          ...(prepared && { translateError: (error) => withoutSecret(error, prepared) }),
          connect(account) {
            const { call, caller, candidate, request } = exchange
            const relay = new Relay({
              exchange,
              account,
              turns,
              owner: { caller, model: call.model, accountId: candidate.account.id },
              upstreamSecret: prepared?.upstreamSecret,
              headers: (turn) => (prepared ? { authorization: `Bearer ${turn.id}` } : {}),
            })
            const offered = offeredProtocols(request)
            const protocol = offered.includes('realtime') ? 'realtime' : undefined
            const reply = acceptSocket(exchange, (client) => relay.open(client), protocol)
            return { reader: relay, reply }
          },
        }
      },
    },
  })
}

function understand(
  { request, isDryRun }: Authenticated,
  prepared: PreparedSession | undefined,
): ConnectCall {
  if (!request.acceptSocket && !isDryRun) throw upgradeRequired()
  const query = new URLSearchParams(request.query)
  for (const name of ['call_id', 'intent']) {
    if (query.has(name)) throw wrong(name, 'left out: the gateway has sessions with a model alone')
  }
  const named = query.getAll('model')
  if (named.length > 1) throw wrong('model', 'named once')
  const model = named[0] || prepared?.model
  if (!model)
    throw new GatewayError('missing_required_parameter', '`model` is required, in the query.', {
      param: 'model',
    })
  if (prepared && model !== prepared.model)
    throw wrong('model', 'the model that this ephemeral key was made for')
  const pin = prepared && { pinnedTo: prepared.accountId, by: 'realtime', unavailable }
  return {
    model,
    ...(prepared && pin && { prepared, pin }),
    stream: false,
    refersTo: [],
    edits: [],
    losses: [],
  }
}

function unavailable(reason: string): GatewayError {
  const message = `The account that has prepared this session cannot be used: ${reason}.`
  return new GatewayError('owner_unavailable', message)
}

/** The handshake with the account, with its own ephemeral key if it has made one for this session. */
function requestOf(exchange: Routed, secret: string | undefined): Outbound {
  const { candidate, request } = exchange
  const ownQuery = `model=${encodeURIComponent(candidate.upstreamModel)}`
  const headers = betaOf(request)
  const outbound = createNativeRequest(exchange, { path, ownQuery, headers })
  if (secret === undefined) return outbound
  assertReplaceable(exchange)
  const { authorization: _own, 'api-key': _key, ...others } = outbound.headers
  return { ...outbound, headers: { ...others, authorization: `Bearer ${secret}` } }
}

/** Browsers name a version of the API among the protocols, since they can send no headers. */
function betaOf(request: ClientRequest): Record<string, string> {
  const version = offeredProtocols(request).find((name) => name.startsWith(betaPrefix))
  return version ? { 'openai-beta': version.slice(betaPrefix.length).replace('-', '=') } : {}
}

const betaPrefix = 'openai-beta.'

/** Throws `Declined` for an account whose credential is no key, so that no ephemeral one can stand in its place. */
export function assertReplaceable({ candidate }: Routed): void {
  if (candidate.account.authorizer)
    throw new Declined('realtime', 'its credential is no key, and has no ephemeral ones')
}

/** An account may repeat a key that it refuses. */
function withoutSecret(error: GatewayError, { upstreamSecret }: PreparedSession): GatewayError {
  const { code, status, message, upstream } = error
  const isIn = message.includes(upstreamSecret) || upstream?.body.includes(upstreamSecret)
  return isIn ? new GatewayError(code, 'The account refuses this session.', { status }) : error
}
