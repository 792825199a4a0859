import type { Caller, RefusedKey } from '../contract/request.ts'
import type { ApiKey } from '../stores/key-ring.ts'
import { compilePatterns } from './patterns.ts'

/** A key is the same object until the keys change. */
const callers = new WeakMap<ApiKey, Caller>()

/** The caller of an API key; `undefined` if the key is disabled or expired. */
export function callerOfKey(key: ApiKey): Caller | undefined {
  if (key.disabled || isExpired(key)) return undefined
  let caller = callers.get(key)
  if (!caller) {
    const mayUse = key.models ? compilePatterns(key.models) : () => true
    const { id: keyId, models, losses } = key
    caller = { keyId, mayUse, models, mayExplain: key.explain === true, losses }
    callers.set(key, caller)
  }
  return caller
}

/** A key that has no caller, for operators. */
export function refusedKeyOf({ id, disabled }: ApiKey): RefusedKey {
  return { refused: disabled ? 'disabled' : 'expired', keyId: id }
}

function isExpired({ expiresAt }: ApiKey): boolean {
  return expiresAt !== undefined && Date.now() >= expiresAt
}
