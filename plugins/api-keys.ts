import type { Caller, RefusedKey } from '../src/contract/request.ts'
import { callerOfKey, refusedKeyOf } from '../src/accounts/caller-of-key.ts'
import { GatewayError } from '../src/contract/errors.ts'
import type { PipelineServices } from '../src/runtime/pipeline.ts'
import type { ApiKey } from '../src/stores/key-ring.ts'
import { type GatewayPlugin, definePlugin } from '../src/contract/plugin.ts'

/**
 * Identifies callers by their API key. A missing, unknown, expired or disabled key is answered 401.
 * While the store is unavailable, an unknown key may be a new one and is answered 503.
 */
export function apiKeys({ keys, teams }: Pick<PipelineServices, 'keys' | 'teams'>): GatewayPlugin {
  return definePlugin({
    name: 'api-keys',
    onAuthenticate({ credential }) {
      if (credential === undefined) return undefined
      const key = keys.find(credential)
      // An unknown key may be new in the store; a known key needs no look-up.
      if (key || keys.isStale || !keys.catchUp) return admit(key)
      return keys.catchUp().then(() => admit(keys.find(credential)))
    },
  })

  function admit(key: ApiKey | undefined): Caller | RefusedKey | undefined {
    if (!key && keys.isStale) throw lookupUnavailable()
    return key && (callerOfKey(key, teams) ?? refusedKeyOf(key))
  }
}

function lookupUnavailable(): GatewayError {
  return new GatewayError('lookup_unavailable', 'API keys cannot be looked up at the moment.', {
    headers: { 'retry-after': '1' },
  })
}
