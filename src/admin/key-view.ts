import type { KeyRing, RingKey } from '../stores/key-ring.ts'
import { type KeyRecord, keyVersion } from '../stores/keys.ts'

/** The states of a key. `DAMAGED`: the store's record cannot be read, so that the key is rejected. */
export const keyStates = ['ACTIVE', 'DISABLED', 'EXPIRED', 'REVOKED', 'DAMAGED'] as const

/** Which keys operators have disabled, and why. */
export type DisabledKeys = Pick<KeyRing['states'], 'disabled' | 'reasonOf'>

/** See `keyStates`. */
export type KeyState = (typeof keyStates)[number]

/** A label of a key. */
export interface Label {
  readonly name: string
  readonly value: string
}

/** An API key for operators. It has neither the secret nor its hash. Times are milliseconds since 1970. */
export interface KeyView extends Pick<
  KeyRecord,
  | 'id'
  | 'models'
  | 'team'
  | 'labels'
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
  /** The store has a valid key of the id of one of the configuration file, or the key's team does not exist. */
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
  states?: DisabledKeys,
): KeyView {
  const { id, unreadable, previous } = key
  if (unreadable) return { id, state: 'DAMAGED', managedBy }
  const { models, team, labels, explain, losses, errors, expiresAt } = key
  const { createdAt, createdBy, rotatedAt, revokedAt } = key
  return {
    id,
    ...stateOf(key, managedBy, now, states),
    managedBy,
    ...(models && { models }),
    ...(team !== undefined && { team }),
    ...(labels && { labels }),
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

/** The state of a key, and why an operator or the configuration has disabled it. */
export function stateOf(
  { id, disabled, expiresAt = Infinity }: Pick<AnyKey, 'id' | 'disabled' | 'expiresAt'>,
  managedBy: KeyView['managedBy'],
  now: number,
  states: DisabledKeys | undefined,
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
