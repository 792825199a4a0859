import { type Caller, definePlugin, GatewayError, type GatewayPlugin, type Log } from 'dragoman'

import { Decisions } from './decisions.ts'
import { type Token, type IntrospectionOptions, introspect } from './introspect.ts'

export interface AuthorizationOptions extends IntrospectionOptions {
  /** How long a caller is remembered, and so how long a withdrawn token still works. Default: 30 s. */
  readonly knownMs?: number
  /** How long an unknown token is remembered. Default: 5 s. */
  readonly unknownMs?: number
  /** How many tokens are remembered. Default: 10,000. */
  readonly size?: number
  /** For operators: why the service could not be asked. */
  readonly log: Log
}

/**
 * Knows callers by tokens that an external service issues. A token that the service does not know is
 * left to the gateway's own API keys, so the client gets 401 unless it is one of them. If the service
 * cannot tell, the client gets 503: a valid token must not look revoked, because clients give up then.
 */
export function authorization(options: AuthorizationOptions): GatewayPlugin {
  const { knownMs = 30_000, unknownMs = 5_000, size = 10_000, log } = options
  const decisions = new Decisions<Caller>({ size, unknownMs })

  async function ask(credential: string) {
    const token = await introspect(credential, options).catch((error: Error) => {
      // Reasons name no credential; the log and the client see different ones.
      log.error('the authorization service failed', { reason: error.message })
      throw unavailable()
    })
    if (!token) return undefined
    const until = Math.min(Date.now() + knownMs, token.expiresAt ?? Infinity)
    return { value: callerOf(token), until }
  }

  return definePlugin({
    name: 'authorization',
    onAuthenticate({ credential }) {
      if (credential === undefined) return undefined
      return decisions.of(credential, () => ask(credential))
    },
  })
}

function unavailable(): GatewayError {
  const message = 'The credential cannot be checked at the moment.'
  return new GatewayError('lookup_unavailable', message, { headers: { 'retry-after': '1' } })
}

/** The scope `models` permits all models, `model:NAME` one. */
function callerOf({ subject, scopes }: Token): Caller {
  // The prefix keeps users and API keys apart: responses belong to the `keyId` that made them.
  const keyId = `user:${subject}`
  if (scopes.has('models')) return { keyId, mayUse: () => true }
  const models = [...scopes].flatMap((scope) => /^model:(.+)$/.exec(scope)?.[1] ?? [])
  return { keyId, models, mayUse: (model) => models.includes(model) }
}
