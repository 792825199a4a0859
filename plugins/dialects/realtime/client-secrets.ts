import type { ReadReply } from '../../../src/contract/attempt.ts'
import type { RequestBody } from '../../../src/contract/body.ts'
import type { Call } from '../../../src/contract/call.ts'
import { GatewayError } from '../../../src/contract/errors.ts'
import type { Routed } from '../../../src/contract/exchange.ts'
import { defineOperation } from '../../../src/contract/operation.ts'
import {
  checkInteger,
  checkObject,
  checkWord,
  requireField,
  requireString,
} from '../../../src/kit/checks.ts'
import { mapStrings } from '../../../src/kit/secrets/mask.ts'
import { type JsonObject, isObject } from '../../../src/lib/json/object.ts'
import { numberAt, objectAt, stringAt } from '../../../src/lib/json/read.ts'
import { findMember } from '../../../src/lib/json/scan.ts'
import { createNativeRequest, replyModelOf } from '../../../src/upstream/native.ts'
import { assertReplaceable } from './connect.ts'
import type { EphemeralKeys } from '../../../src/accounts/ephemeral-keys.ts'
import { secretSchema } from './schema.ts'
import { otherModelsOf, refuseFiles } from './session.ts'

const path = '/v1/realtime/client_secrets'

/** How long an ephemeral key lasts, in seconds: OpenAI's bounds and default. */
const [leastSeconds, usualSeconds, mostSeconds] = [10, 600, 7_200]

/** The options of `createSecret`. */
interface SecretOptions {
  readonly ephemeral: EphemeralKeys
  /** Milliseconds since 1970. */
  readonly now: () => number
}

interface SecretCall extends Call {
  /** How long the client wants the key to last, in seconds. */
  readonly seconds: number
}

/**
 * Defines `POST /v1/realtime/client_secrets`: the account prepares the session and makes an ephemeral key for it, and the
 * client gets one of the gateway in its place.
 */
export function createSecret({ ephemeral, now }: SecretOptions) {
  return defineOperation<SecretCall>({
    id: 'realtime.create-secret',
    method: 'POST',
    paths: [path],
    auth: 'key',
    capability: 'realtime-secret',
    summary: 'Make an ephemeral key for one realtime session of a browser',
    schema: secretSchema,
    least: { body: { session: { type: 'realtime' } } },
    understand(exchange, body) {
      const call = understand(body)
      if (!ephemeral.hasKey(exchange.caller)) throw withoutKey()
      return call
    },
    forward: {
      billed: 'reply',
      async plan(exchange) {
        assertReplaceable(exchange)
        return {
          outbound: createNativeRequest(exchange, { path }),
          observer() {
            throw new Error('An ephemeral key is no stream.')
          },
          read: (json) => replaceSecret(exchange, json),
        }
      },
    },
  })

  async function replaceSecret(
    exchange: Routed & { readonly call: SecretCall },
    json: unknown,
  ): Promise<ReadReply> {
    const upstreamSecret = stringAt(json, 'value')
    if (!isObject(json) || !upstreamSecret) return unreadable
    const { call, caller, candidate } = exchange
    const expiresAt = endOf(json, call.seconds, now())
    const secret = await ephemeral.create(
      {
        keyId: caller.keyId,
        model: call.model,
        others: call.otherModels?.map(({ name }) => name) ?? [],
        accountId: candidate.account.id,
        expiresAt: expiresAt * 1_000,
      },
      upstreamSecret,
    )
    // Older replies have it in the session, too.
    const shown = mapStrings(json, (one) => one.replaceAll(upstreamSecret, secret)) as JsonObject
    const named = withClientModel(exchange, { ...shown, expires_at: expiresAt })
    return { outcome: made, body: Buffer.from(JSON.stringify(named)) }
  }
}

/** Checks a request. Throws `GatewayError` with `param`. */
function understand({ json, bytes, members }: RequestBody): SecretCall {
  requireField(json, 'session')
  checkObject(json, 'session')
  const session = json['session'] as JsonObject
  checkWord(session, 'type', ['realtime'], 'session')
  const model = requireString(session, 'model', 'session')
  refuseFiles(session)
  checkObject(json, 'expires_after')
  const after = objectAt(json, 'expires_after') ?? {}
  checkWord(after, 'anchor', ['created_at'], 'expires_after')
  checkInteger(after, 'seconds', leastSeconds, mostSeconds, 'expires_after')
  return {
    model,
    modelAt: findMember(bytes, members.get('session')?.start ?? 0, 'model'),
    ...otherModelsOf(session),
    seconds: numberAt(after, 'seconds') ?? usualSeconds,
    stream: false,
    refersTo: [],
    edits: [],
    losses: [],
  }
}

/** When the key ends, in seconds since 1970: as the account says, and never later than the client wants. */
function endOf(json: JsonObject, seconds: number, now: number): number {
  const latest = Math.ceil(now / 1_000) + seconds
  return Math.min(latest, Math.floor(numberAt(json, 'expires_at') ?? latest))
}

function withClientModel(exchange: Routed, json: JsonObject): JsonObject {
  const model = replyModelOf(exchange)
  const { session } = json
  return model !== undefined && isObject(session) && 'model' in session
    ? { ...json, session: { ...session, model } }
    : json
}

const made = { status: 'completed', fault: 'none' } as const

const unreadable: ReadReply = {
  failedHere: true,
  outcome: {
    status: 'failed',
    fault: 'account',
    error: new GatewayError('upstream_invalid_reply', 'The upstream’s reply has no key.'),
  },
}

/** An ephemeral key ends with the API key that has made it, which other credentials do not have. */
function withoutKey(): GatewayError {
  const message =
    'Only API keys of the gateway make ephemeral keys: open the session with the credential of this request.'
  return new GatewayError('permission_denied', message)
}
