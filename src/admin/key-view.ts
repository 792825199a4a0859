import type { RingKey } from '../stores/key-ring.ts'
import { type KeyRecord, keyVersion } from '../stores/keys.ts'

/** `DAMAGED`: the store's record cannot be read, so that the key is rejected. */
export type KeyState = 'ACTIVE' | 'EXPIRED' | 'REVOKED' | 'DAMAGED'

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

/** A key of the configuration or the store for operators. `now`: milliseconds since 1970. */
export function viewOf(key: AnyKey, managedBy: KeyView['managedBy'], now: number): KeyView {
  const { id, unreadable, previous } = key
  if (unreadable) return { id, state: 'DAMAGED', managedBy }
  const { models, explain, losses, errors, expiresAt, createdAt, createdBy, rotatedAt, revokedAt } =
    key
  return {
    id,
    state: stateOf(key, now),
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

function stateOf({ disabled, expiresAt = Infinity }: AnyKey, now: number): KeyState {
  if (disabled) return 'REVOKED'
  return expiresAt <= now ? 'EXPIRED' : 'ACTIVE'
}
