import type { ErrorForm } from '../contract/request.ts'
import type { LossPolicy } from '../generate/unsupported.ts'
import { isObject } from '../lib/json/object.ts'
import { createSecret, hashSecret } from './key-secret.ts'
import { listAll } from './list-all.ts'
import { isTexts, isTime, isVersion } from './record-values.ts'
import { type ListedRecord, type Records, type Store, UnreadableRecord } from './store.ts'

/** Words about a key for operators and their reports, by name. */
export type Labels = Readonly<Record<string, string>>

/** An API key as it is stored: without its secret. Times are milliseconds since 1970. */
export interface KeyRecord {
  id: string
  /** `sha256:<64 hex digits>` of the secret. */
  hash: string
  /** Names and patterns of the models that the key may use. Absent: all. */
  models?: string[]
  /** The id of the team that it belongs to. */
  team?: string
  labels?: Labels
  expiresAt?: number
  /** Whether its caller may see how calls are routed. */
  explain?: boolean
  /** The handling of parameters that an account does not support. Absent: the configuration's. */
  losses?: LossPolicy
  /** The form of errors. Absent: the configuration's. */
  errors?: ErrorForm
  /**
   * Whether the key is revoked. Its id is never used again, since stored responses belong to ids.
   */
  disabled: boolean
  createdAt: number
  /** Who created it: the kind and the id of an actor, such as `token:ops`. */
  createdBy?: string
  rotatedAt?: number
  revokedAt?: number
  /** The former secret, while a rotation leaves time to replace it. */
  previous?: FormerSecret
  /** Counts the changes, from 1. Absent in records of earlier versions: 1. */
  version?: number
  /** Whether the record is damaged; then the key is disabled. Never stored. */
  unreadable?: true
}

/** A secret that works beside its successor until a time. */
interface FormerSecret {
  /** `sha256:<64 hex digits>` of the secret. */
  hash: string
  /** Milliseconds since 1970. */
  until: number
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
  team?: string
  labels?: Labels
  expiresAt?: number
  explain?: boolean
  losses?: LossPolicy
  errors?: ErrorForm
  /** See `KeyRecord.createdBy`. */
  createdBy?: string
}

/** New settings of a key: an absent member stays, a null one is removed. */
export type KeyChange = {
  readonly [Name in 'models' | 'team' | 'labels' | 'expiresAt' | 'explain' | 'losses' | 'errors']?:
    | Exclude<KeyRecord[Name], undefined>
    | null
    | undefined
}

/** Options of `rotateKey`. */
interface Rotation {
  /** How long the former secret works beside the new one, in milliseconds. Absent: not at all. */
  readonly graceMs?: number | undefined
  /** The only version of the record that may be changed. Absent: any. */
  readonly expectedVersion?: number | undefined
}

const conflictTexts = {
  exists: 'already exists: choose another id, or give it a new secret by a rotation',
  retired: 'is revoked, and the id of a revoked key is never used again: choose another id',
  missing: 'does not exist',
  revoked: 'is revoked',
  expired: 'has expired',
  damaged: 'has a damaged record',
  changed: 'has changed since it was read',
}

/** An operation fails because of the state of a key, or because no key has this id. */
export class KeyConflict extends Error {
  readonly reason: keyof typeof conflictTexts
  constructor(reason: KeyConflict['reason'], id: string) {
    super(`The key "${id}" ${conflictTexts[reason]}.`)
    this.name = 'KeyConflict'
    this.reason = reason
  }
}

/** Creates a key. Rejects with `KeyConflict` if the id exists, also of a revoked key. */
export async function createKey(store: Store, wanted: NewKey): Promise<IssuedKey> {
  const secret = createSecret()
  const hash = hashSecret(secret)
  const key = { ...wanted, hash, disabled: false, createdAt: Date.now(), version: 1 }
  if (!(await keyRecords(store).add(key.id, key))) {
    const known = await getKey(store, key.id)
    throw new KeyConflict(known?.disabled && !known.unreadable ? 'retired' : 'exists', key.id)
  }
  return { key, secret }
}

/** The number of changes of a key's record, from 1. */
export function keyVersion({ version = 1 }: Pick<KeyRecord, 'version'>): number {
  return version
}

/** Lists all keys, revoked, expired and unreadable ones too, in the order of their ids. */
export async function listKeys(store: Store): Promise<KeyRecord[]> {
  return (await listAll(keyRecords(store))).map((record) => readKey(record))
}

/** The key of this id; `undefined` for an unknown id. */
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

/**
 * Revokes a key permanently, with each of its secrets. A revoked one stays as it is. Rejects with `KeyConflict` if it
 * does not exist.
 */
export async function revokeKey(store: Store, id: string): Promise<KeyRecord> {
  const key = await keyRecords(store).update(id, (known) => {
    if (known.disabled && known.revokedAt !== undefined && !known.previous) return undefined
    const { previous: _ended, ...rest } = { ...known, disabled: true }
    return { ...rest, revokedAt: known.revokedAt ?? Date.now(), version: nextVersion(known) }
  })
  if (!key) throw new KeyConflict('missing', id)
  return key
}

/**
 * Changes the settings of a key. Rejects with `KeyConflict` if the key does not exist, is revoked or
 * damaged, or has another version than `expectedVersion`.
 */
export async function updateKey(
  store: Store,
  id: string,
  change: KeyChange,
  expectedVersion?: number,
): Promise<KeyRecord> {
  const removed = Object.entries(change).filter(([, value]) => value === null)
  const given = Object.entries(change).filter(([, value]) => value !== undefined && value !== null)
  return await changeUsable(store, id, expectedVersion, (known) => {
    const key: KeyRecord = { ...known, ...Object.fromEntries(given) }
    for (const [name] of removed) delete key[name as keyof KeyChange]
    return key
  })
}

/**
 * Replaces the secret of a key. The former secret ends at once or after `graceMs`; one that an earlier
 * rotation left ends at once. The id stays the same, so the key's resources stay its own. Rejects as
 * `updateKey` does.
 */
export async function rotateKey(
  store: Store,
  id: string,
  { graceMs = 0, expectedVersion }: Rotation = {},
): Promise<IssuedKey> {
  const secret = createSecret()
  const now = Date.now()
  const change = { hash: hashSecret(secret), rotatedAt: now }
  const key = await changeUsable(store, id, expectedVersion, (known) => {
    // A new secret that no gateway accepts would look like a success.
    if (known.expiresAt !== undefined && known.expiresAt <= now)
      throw new KeyConflict('expired', id)
    const { previous: _ended, ...rest } = known
    const previous = { hash: known.hash, until: now + graceMs }
    return { ...rest, ...change, ...(graceMs > 0 && { previous }) }
  })
  return { key, secret }
}

/** Changes a key in one step with the checks of its state: a concurrent revocation must win. */
async function changeUsable(
  store: Store,
  id: string,
  expectedVersion: number | undefined,
  change: (known: KeyRecord) => KeyRecord,
): Promise<KeyRecord> {
  const key = await keyRecords(store).update(id, (known) => {
    if (!isKey(known, id)) throw new KeyConflict('damaged', id)
    if (known.disabled) throw new KeyConflict('revoked', id)
    if (expectedVersion !== undefined && expectedVersion !== keyVersion(known)) {
      throw new KeyConflict('changed', id)
    }
    return { ...change(known), version: nextVersion(known) }
  })
  if (!key) throw new KeyConflict('missing', id)
  return key
}

/** A damaged record may have any version. */
function nextVersion({ version }: Pick<KeyRecord, 'version'>): number {
  return (isVersion(version) ? version : 1) + 1
}

/** Whether a record is a key, of this id, as this version of the gateway reads it. */
function isKey(value: unknown, id: string): value is KeyRecord {
  const key = Object(value) as Partial<Record<keyof KeyRecord, unknown>>
  return (
    key.id === id &&
    isHash(key.hash) &&
    typeof key.disabled === 'boolean' &&
    (key.models === undefined || isTexts(key.models)) &&
    (key.team === undefined || typeof key.team === 'string') &&
    (key.labels === undefined || (isObject(key.labels) && isTexts(Object.values(key.labels)))) &&
    isTime(key.createdAt) &&
    [key.expiresAt, key.rotatedAt, key.revokedAt].every((at) => at === undefined || isTime(at)) &&
    (key.createdBy === undefined || typeof key.createdBy === 'string') &&
    (key.explain === undefined || typeof key.explain === 'boolean') &&
    (key.losses === undefined || policies.has(key.losses)) &&
    (key.errors === undefined || forms.has(key.errors)) &&
    (key.previous === undefined || isFormerSecret(key.previous)) &&
    (key.version === undefined || isVersion(key.version))
  )
}

function isHash(text: unknown): boolean {
  return typeof text === 'string' && /^sha256:[0-9a-f]{64}$/i.test(text)
}

function isFormerSecret(value: unknown): boolean {
  const { hash, until } = Object(value) as Partial<Record<keyof FormerSecret, unknown>>
  return isHash(hash) && isTime(until)
}

const forms: ReadonlySet<unknown> = new Set<ErrorForm>(['spec', 'upstream', 'native'])

const policies: ReadonlySet<unknown> = new Set<LossPolicy>(['drop', 'native', 'reject'])

/** The keys in a store. */
export function keyRecords(store: Pick<Store, 'records'>): Records<KeyRecord> {
  return store.records<KeyRecord>('keys', { listed: true })
}
