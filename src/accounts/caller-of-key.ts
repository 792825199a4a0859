import type { Caller, RefusedKey } from '../contract/request.ts'
import type { ApiKey } from '../stores/key-ring.ts'
import { compilePatterns } from './patterns.ts'
import { computedOnce } from '../lib/computed-once.ts'

/** A key is the same object until the keys change. */
const toCaller = computedOnce(({ id, models, explain, losses, errors }: ApiKey): Caller => {
  const mayUse = models ? compilePatterns(models) : () => true
  return { keyId: id, mayUse, models, mayExplain: explain === true, losses, errors }
})

/** The caller of an API key; `undefined` if the key is disabled or expired. */
export function callerOfKey(key: ApiKey): Caller | undefined {
  return key.disabled || isExpired(key) ? undefined : toCaller(key)
}

/** A key that has no caller, for operators. */
export function refusedKeyOf({ id, disabled }: ApiKey): RefusedKey {
  return { refused: disabled ? 'disabled' : 'expired', keyId: id }
}

function isExpired({ expiresAt }: ApiKey): boolean {
  return expiresAt !== undefined && Date.now() >= expiresAt
}
