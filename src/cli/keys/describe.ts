import type { KeySetting } from '../../configuration/settings.ts'
import type { LossPolicy } from '../../generate/unsupported.ts'
import type { IssuedKey, KeyRecord } from '../../stores/keys.ts'
import type { Invocation } from '../command.ts'

/** A key as it is shown: without secret and hash, times in ISO 8601. */
export interface KeyDescription {
  id: string
  state: 'active' | 'expired' | 'revoked'
  models?: string[]
  /** There, and true, where its holder may be told how calls are routed. */
  explain?: true
  /** There where the key has a policy of its own. */
  losses?: LossPolicy
  expires?: string
  created?: string
  rotated?: string
}

export function describeKey(key: KeySetting & Partial<KeyRecord>): KeyDescription {
  const { id, models, explain, losses, expiresAt, createdAt, rotatedAt } = key
  return {
    id,
    state: stateOf(key),
    ...(models && { models }),
    ...(explain && { explain }),
    ...(losses && { losses }),
    ...(expiresAt !== undefined && { expires: new Date(expiresAt).toISOString() }),
    ...(createdAt !== undefined && { created: new Date(createdAt).toISOString() }),
    ...(rotatedAt !== undefined && { rotated: new Date(rotatedAt).toISOString() }),
  }
}

function stateOf({ disabled, expiresAt }: KeySetting): KeyDescription['state'] {
  if (disabled) return 'revoked'
  return expiresAt !== undefined && expiresAt <= Date.now() ? 'expired' : 'active'
}

/** Prints a new secret: alone, so that a script can catch it, or in JSON. */
export function showIssued(
  { key, secret }: IssuedKey,
  { terminal, options }: Invocation,
  done: string,
): void {
  if (options['json'] !== undefined) terminal.out(JSON.stringify({ ...describeKey(key), secret }))
  else terminal.out(secret)
  terminal.say(
    `The key "${key.id}" is ${done}. Its secret is not shown again; running gateways know it within two seconds.`,
  )
}
