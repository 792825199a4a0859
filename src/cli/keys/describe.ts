import type { KeySetting } from '../../configuration/settings.ts'
import type { LossPolicy } from '../../generate/unsupported.ts'
import type { IssuedKey, KeyRecord } from '../../stores/keys.ts'
import type { Invocation } from '../command.ts'

/** A key without its secret and hash; times in ISO 8601. */
export interface KeyDescription {
  id: string
  state: 'active' | 'expired' | 'revoked' | 'unreadable'
  models?: string[]
  /** Present if callers with this key may see how their calls are routed. */
  explain?: true
  /** Present if the key has its own policy. */
  losses?: LossPolicy
  expires?: string
  created?: string
  rotated?: string
  /** When its former secret ends, while that works. */
  graceUntil?: string
}

/** Describes a key of the configuration or the store. */
export function describeKey(key: KeySetting & Partial<KeyRecord>): KeyDescription {
  const { id, models, explain, losses, expiresAt, createdAt, rotatedAt, previous } = key
  return {
    id,
    state: stateOf(key),
    ...(models && { models }),
    ...(explain && { explain }),
    ...(losses && { losses }),
    ...(expiresAt !== undefined && { expires: new Date(expiresAt).toISOString() }),
    ...(createdAt !== undefined &&
      !key.unreadable && { created: new Date(createdAt).toISOString() }),
    ...(rotatedAt !== undefined && { rotated: new Date(rotatedAt).toISOString() }),
    ...(previous &&
      previous.until > Date.now() && { graceUntil: new Date(previous.until).toISOString() }),
  }
}

function stateOf({
  disabled,
  expiresAt,
  unreadable,
}: KeySetting & Partial<KeyRecord>): KeyDescription['state'] {
  if (unreadable) return 'unreadable'
  if (disabled) return 'revoked'
  return expiresAt !== undefined && expiresAt <= Date.now() ? 'expired' : 'active'
}

/** Prints a new secret to standard output, alone or in JSON, so that scripts can capture it. */
export function showIssued(
  { key, secret }: IssuedKey,
  invocation: Invocation,
  done: 'issued' | 'rotated',
): void {
  showSecret(describeKey(key), secret, invocation, done)
}

/** Prints the secret of a described key, like `showIssued`. */
export function showSecret(
  key: Pick<KeyDescription, 'id'> & Partial<KeyDescription>,
  secret: string,
  { terminal, options }: Invocation,
  done: 'issued' | 'rotated',
): void {
  const { id, graceUntil } = key
  if (options['json'] !== undefined) terminal.out(JSON.stringify({ ...key, secret }))
  else terminal.out(secret)
  const former = graceUntil === undefined ? '' : ` Its former secret works until ${graceUntil}.`
  terminal.say(
    `The key "${id}" is ${done}. Its secret is not shown again; running gateways accept it within two seconds.${former}`,
  )
}
