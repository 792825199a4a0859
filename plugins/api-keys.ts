import type { Caller } from '../src/contract/request.ts'
import { compilePatterns } from '../src/accounts/patterns.ts'
import { GatewayError } from '../src/contract/errors.ts'
import type { PipelineServices } from '../src/runtime/pipeline.ts'
import type { ApiKey } from '../src/stores/key-ring.ts'
import { type GatewayPlugin, definePlugin } from '../src/contract/plugin.ts'

/**
 * Knows callers by their API key. Missing, unknown, expired and disabled are all the same: 401.
 * While keys cannot be read nobody can tell an unknown one from a new one, so that is 503.
 */
export function apiKeys({ keys }: Pick<PipelineServices, 'keys'>): GatewayPlugin {
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
