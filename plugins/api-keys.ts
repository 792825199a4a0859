import type { Caller } from '../src/contract/request.ts'
import { compilePatterns } from '../src/accounts/patterns.ts'
import { GatewayError } from '../src/contract/errors.ts'
import type { LossPolicy } from '../src/generate/unsupported.ts'
import { type GatewayPlugin, definePlugin } from '../src/contract/plugin.ts'

/** An API key, without its secret. */
export interface ApiKey {
  readonly id: string
  /** Names and patterns of models and aliases; absent: all. */
  readonly models?: readonly string[]
  /** Milliseconds since 1970. */
  readonly expiresAt?: number
  readonly disabled?: boolean
  /** Whether its holder may be told how calls are routed. */
  readonly explain?: boolean
  /** What becomes of what an account cannot be asked for. Absent: as the configuration says. */
  readonly losses?: LossPolicy
}

export interface KeyRing {
  /** The key with this secret, compared in constant time. */
  find(secret: string): ApiKey | undefined
  /** The keys cannot be read just now: a secret that is not found may be that of a new key. */
  readonly isStale?: boolean
  /** Looks for keys that were made since. */
  catchUp?(): Promise<void>
}

/**
 * Knows callers by their API key. Missing, unknown, expired and disabled are all the same: 401.
 * While keys cannot be read nobody can tell an unknown one from a new one, so that is 503.
 */
export function apiKeys({ keys }: { keys: KeyRing }): GatewayPlugin {
  const callers = new WeakMap<ApiKey, Caller>()

  function callerOf(key: ApiKey): Caller {
    let caller = callers.get(key)
    if (!caller) {
      const mayUse = key.models ? compilePatterns(key.models) : () => true
      const { id: keyId, models, losses } = key
      caller = { keyId, mayUse, models, mayExplain: key.explain === true, losses }
      callers.set(key, caller)
    }
    return caller
  }

  return definePlugin({
    name: 'api-keys',
    onAuthenticate({ credential }) {
      if (credential === undefined) return undefined
      const key = keys.find(credential)
      // Known keys wait for nobody; of an unknown one somebody may know more by now.
      if (key || keys.isStale || !keys.catchUp) return admit(key)
      return keys.catchUp().then(() => admit(keys.find(credential)))
    },
  })

  function admit(key: ApiKey | undefined): Caller | undefined {
    if (!key && keys.isStale) throw cannotTell()
    return key && !key.disabled && !isExpired(key) ? callerOf(key) : undefined
  }
}

function cannotTell(): GatewayError {
  return new GatewayError('lookup_unavailable', 'API keys cannot be looked up at the moment.', {
    headers: { 'retry-after': '1' },
  })
}

function isExpired({ expiresAt }: ApiKey): boolean {
  return expiresAt !== undefined && Date.now() >= expiresAt
}
