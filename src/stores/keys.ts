import type { LossPolicy } from '../generate/unsupported.ts'
import { createSecret, hashSecret } from './key-secret.ts'
import { listAll } from './list-all.ts'
import type { Records, Store } from './store.ts'

/** An API key as it is stored: without its secret. Times are milliseconds since 1970. */
export interface KeyRecord {
  id: string
  /** `sha256:<64 hex digits>` of the secret. */
  hash: string
  /** Names and patterns of the models that this key may use. Absent: all. */
  models?: string[]
  expiresAt?: number
  /** Whether its holder may be told how calls are routed. */
  explain?: boolean
  /** What becomes of what an account cannot be asked for. Absent: as the configuration says. */
  losses?: LossPolicy
  /** A revoked key. Its id is never given again, for stored responses belong to ids. */
  disabled: boolean
  createdAt: number
  rotatedAt?: number
}

/** A key and its secret, which is shown this once. */
export interface IssuedKey {
  key: KeyRecord
  secret: string
}

export interface NewKey {
  id: string
  models?: string[]
  expiresAt?: number
  explain?: boolean
  losses?: LossPolicy
}

/** A key of this id exists (or does not, or is revoked), so what was asked cannot be done. */
export class KeyConflict extends Error {
  readonly reason: 'exists' | 'missing' | 'revoked'
  constructor(reason: KeyConflict['reason'], id: string) {
    const states = { exists: 'exists already', missing: 'does not exist', revoked: 'is revoked' }
    super(`The key "${id}" ${states[reason]}.`)
    this.name = 'KeyConflict'
    this.reason = reason
  }
}

/** Issues a key. Rejects with `KeyConflict` where the id is taken, by a revoked key too. */
export async function createKey(store: Store, wanted: NewKey): Promise<IssuedKey> {
  const secret = createSecret()
  const key = { ...wanted, hash: hashSecret(secret), disabled: false, createdAt: Date.now() }
  if (!(await keyRecords(store).add(key.id, key))) throw new KeyConflict('exists', key.id)
  return { key, secret }
}

/** All keys, revoked and expired ones too, in the order of their ids. */
export async function listKeys(store: Store): Promise<KeyRecord[]> {
  return (await listAll(keyRecords(store))).map(({ value }) => value)
}

export async function getKey(store: Store, id: string): Promise<KeyRecord | undefined> {
  return await keyRecords(store).get(id)
}

/** Turns a key off for good. Rejects with `KeyConflict` where there is none. */
export async function revokeKey(store: Store, id: string): Promise<KeyRecord> {
  const key = await keyRecords(store).update(id, (known) => ({ ...known, disabled: true }))
  if (!key) throw new KeyConflict('missing', id)
  return key
}

/**
 * Gives a key a new secret; the old one is refused from now on. The id stays, and with it all that
 * belongs to it. Rejects with `KeyConflict` where there is no such key or it is revoked.
 */
export async function rotateKey(store: Store, id: string): Promise<IssuedKey> {
  const secret = createSecret()
  const change = { hash: hashSecret(secret), rotatedAt: Date.now() }
  // In one step with the look at `disabled`: a revocation at the same moment must win.
  const key = await keyRecords(store).update(id, (known) =>
    known.disabled ? undefined : { ...known, ...change },
  )
  if (!key) throw new KeyConflict('missing', id)
  if (key.disabled) throw new KeyConflict('revoked', id)
  return { key, secret }
}

/** The keys among a store's records. */
export function keyRecords(store: Pick<Store, 'records'>): Records<KeyRecord> {
  return store.records<KeyRecord>('keys', { listed: true })
}
