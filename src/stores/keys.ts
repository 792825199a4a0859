import type { LossPolicy } from '../generate/unsupported.ts'
import { createSecret, hashSecret } from './key-secret.ts'
import { listAll } from './list-all.ts'
import { type ListedRecord, type Records, type Store, UnreadableRecord } from './store.ts'

/** An API key as it is stored: without its secret. Times are milliseconds since 1970. */
export interface KeyRecord {
  id: string
  /** `sha256:<64 hex digits>` of the secret. */
  hash: string
  /** Names and patterns of the models that the key may use. Absent: all. */
  models?: string[]
  expiresAt?: number
  /** Whether its caller may see how calls are routed. */
  explain?: boolean
  /** The handling of parameters that an account does not support. Absent: the configuration's. */
  losses?: LossPolicy
  /**
   * Whether the key is revoked. Its id is never used again, since stored responses belong to ids.
   */
  disabled: boolean
  createdAt: number
  rotatedAt?: number
  /** Whether the record is damaged; then the key is disabled. Never stored. */
  unreadable?: true
}

/** A new key and its secret, which is shown only once. */
export interface IssuedKey {
  key: KeyRecord
  secret: string
}

/** The settings of a new key. `expiresAt` is in milliseconds since 1970. */
export interface NewKey {
  id: string
  models?: string[]
  expiresAt?: number
  explain?: boolean
  losses?: LossPolicy
}

/** An operation fails because a key of this id exists, does not exist or is revoked. */
export class KeyConflict extends Error {
  readonly reason: 'exists' | 'missing' | 'revoked'
  constructor(reason: KeyConflict['reason'], id: string) {
    const states = { exists: 'already exists', missing: 'does not exist', revoked: 'is revoked' }
    super(`The key "${id}" ${states[reason]}.`)
    this.name = 'KeyConflict'
    this.reason = reason
  }
}

/** Creates a key. Rejects with `KeyConflict` if the id exists, also of a revoked key. */
export async function createKey(store: Store, wanted: NewKey): Promise<IssuedKey> {
  const secret = createSecret()
  const key = { ...wanted, hash: hashSecret(secret), disabled: false, createdAt: Date.now() }
  if (!(await keyRecords(store).add(key.id, key))) throw new KeyConflict('exists', key.id)
  return { key, secret }
}

/** Lists all keys, revoked, expired and unreadable ones too, in the order of their ids. */
export async function listKeys(store: Store): Promise<KeyRecord[]> {
  return (await listAll(keyRecords(store))).map((record) => readKey(record))
}

/** The key of this id; `undefined` if there is none. */
export async function getKey(store: Store, id: string): Promise<KeyRecord | undefined> {
  try {
    const value = await keyRecords(store).get(id)
    return value === undefined ? undefined : readKey({ id, value })
  } catch (error) {
    if (error instanceof UnreadableRecord) return unreadableKey(id)
    throw error
  }
}

/** The key of a record. A damaged one is disabled: the id stays taken, and no secret is valid. */
export function readKey({ id, value }: ListedRecord<KeyRecord>): KeyRecord {
  return isKey(value, id) ? value : unreadableKey(id)
}

function unreadableKey(id: string): KeyRecord {
  return { id, hash: '', disabled: true, createdAt: 0, unreadable: true }
}

/** Revokes a key permanently. Rejects with `KeyConflict` if it does not exist. */
export async function revokeKey(store: Store, id: string): Promise<KeyRecord> {
  const key = await keyRecords(store).update(id, (known) => ({ ...known, disabled: true }))
  if (!key) throw new KeyConflict('missing', id)
  return key
}

/**
 * Replaces the secret of a key: the old one is rejected from now on. The id stays the same, so the
 * key's resources stay its own. Rejects with `KeyConflict` if the key does not exist or is revoked.
 */
export async function rotateKey(store: Store, id: string): Promise<IssuedKey> {
  const secret = createSecret()
  const change = { hash: hashSecret(secret), rotatedAt: Date.now() }
  // One step with the check of `disabled`: a concurrent revocation must win.
  const key = await keyRecords(store).update(id, (known) => {
    if (!isKey(known, id)) throw new UnreadableRecord()
    return known.disabled ? undefined : { ...known, ...change }
  })
  if (!key) throw new KeyConflict('missing', id)
  if (key.disabled) throw new KeyConflict('revoked', id)
  return { key, secret }
}

/** Whether a record is a key, of this id, as this version of the gateway reads it. */
function isKey(value: unknown, id: string): value is KeyRecord {
  const key = Object(value) as Partial<Record<keyof KeyRecord, unknown>>
  return (
    key.id === id &&
    typeof key.hash === 'string' &&
    /^sha256:[0-9a-f]{64}$/i.test(key.hash) &&
    typeof key.disabled === 'boolean' &&
    (key.models === undefined || isTexts(key.models)) &&
    (key.expiresAt === undefined || typeof key.expiresAt === 'number') &&
    (key.explain === undefined || typeof key.explain === 'boolean') &&
    (key.losses === undefined || policies.has(key.losses))
  )
}

function isTexts(list: unknown): boolean {
  return Array.isArray(list) && list.every((one) => typeof one === 'string')
}

const policies: ReadonlySet<unknown> = new Set<LossPolicy>(['drop', 'native', 'reject'])

/** The keys in a store. */
export function keyRecords(store: Pick<Store, 'records'>): Records<KeyRecord> {
  return store.records<KeyRecord>('keys', { listed: true })
}
