import type { Caller } from '../src/exchange.ts'
import { compilePatterns } from '../src/accounts/patterns.ts'
import { definePlugin, type GatewayPlugin } from '../src/plugin.ts'

/** An API key, without its secret. */
export interface ApiKey {
  readonly id: string
  /** Names and patterns of models and aliases; absent: all. */
  readonly models?: readonly string[]
  /** Milliseconds since 1970. */
  readonly expiresAt?: number
  readonly disabled?: boolean
}

export interface KeyRing {
  /** The key with this secret, compared in constant time. */
  find(secret: string): ApiKey | undefined
}

/** Knows callers by their API key. Missing, unknown, expired and disabled are all the same: 401. */
export function apiKeys({ keys }: { keys: KeyRing }): GatewayPlugin {
  const callers = new WeakMap<ApiKey, Caller>()

  function callerOf(key: ApiKey): Caller {
    let caller = callers.get(key)
    if (!caller) {
      const mayUse = key.models ? compilePatterns(key.models) : () => true
      caller = { keyId: key.id, mayUse }
      callers.set(key, caller)
    }
    return caller
  }

  return definePlugin({
    name: 'api-keys',
    onAuthenticate({ credential }) {
      const key = credential === undefined ? undefined : keys.find(credential)
      if (!key || key.disabled || isExpired(key)) return undefined
      return callerOf(key)
    },
  })
}

function isExpired({ expiresAt }: ApiKey): boolean {
  return expiresAt !== undefined && Date.now() >= expiresAt
}
