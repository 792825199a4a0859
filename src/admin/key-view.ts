import type { KeyRing, RingKey } from '../stores/key-ring.ts'
import { type KeyRecord, keyVersion } from '../stores/keys.ts'

/** The states of a key. `DAMAGED`: the store's record cannot be read, so that the key is rejected. */
export const keyStates = ['ACTIVE', 'DISABLED', 'EXPIRED', 'REVOKED', 'DAMAGED'] as const

/** See `keyStates`. */
export type KeyState = (typeof keyStates)[number]

/** An API key for operators. It has neither the secret nor its hash. Times are milliseconds since 1970. */
export interface KeyView extends Pick<
  KeyRecord,
  | 'id'
  | 'models'
  | 'explain'
  | 'losses'
  | 'errors'
  | 'expiresAt'
  | 'rotatedAt'
  | 'revokedAt'
  | 'createdBy'
> {
  readonly state: KeyState
  /** Why it is disabled. */
  readonly stateReason?: string
  readonly managedBy: 'FILE' | 'STORE'
  readonly createdAt?: number
  /** When the former secret ends, while it works. */
  readonly graceUntil?: number
  /** A minute late at most for uses in other processes. Absent: it was not used. */
  readonly lastUsedAt?: number
  /** Absent: a key of the configuration file, or a damaged one. */
  readonly version?: number
  /** Of a key of the configuration file: the store has a valid one of this id too. */
  readonly problem?: string
}

type AnyKey = RingKey & Partial<KeyRecord>

/**
 * A key of the configuration or the store for operators. `now`: milliseconds since 1970. `states`: which keys operators
 * have disabled.
 */
export function viewOf(
  key: AnyKey,
  managedBy: KeyView['managedBy'],
  now: number,
  states?: KeyRing['states'],
): KeyView {
  const { id, unreadable, previous } = key
  if (unreadable) return { id, state: 'DAMAGED', managedBy }
  const { models, explain, losses, errors, expiresAt, createdAt, createdBy, rotatedAt, revokedAt } =
    key
  return {
    id,
    ...stateOf(key, managedBy, now, states),
    managedBy,
    ...(models && { models }),
    ...(explain !== undefined && { explain }),
    ...(losses && { losses }),
    ...(errors && { errors }),
    ...(expiresAt !== undefined && { expiresAt }),
    ...(createdAt !== undefined && { createdAt }),
    ...(createdBy !== undefined && { createdBy }),
    ...(rotatedAt !== undefined && { rotatedAt }),
    ...(revokedAt !== undefined && { revokedAt }),
    ...(previous && previous.until > now && { graceUntil: previous.until }),
    ...(managedBy === 'STORE' && { version: keyVersion(key) }),
  }
}

function stateOf(
  { id, disabled, expiresAt = Infinity }: AnyKey,
  managedBy: KeyView['managedBy'],
  now: number,
  states: KeyRing['states'] | undefined,
): Pick<KeyView, 'state' | 'stateReason'> {
  if (disabled && managedBy === 'STORE') return { state: 'REVOKED' }
  if (disabled) return { state: 'DISABLED', stateReason: 'the configuration disables it' }
  if (states?.disabled.has(id)) {
    const why = states.reasonOf(id)
    return {
      state: 'DISABLED',
      stateReason: why === undefined ? byOperator : `${byOperator}: ${why}`,
    }
  }
  return { state: expiresAt <= now ? 'EXPIRED' : 'ACTIVE' }
}

const byOperator = 'an operator disabled it'
