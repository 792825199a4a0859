import { type Role, roles } from '../contract/roles.ts'
import { createAdminSecret, hashSecret } from './key-secret.ts'
import { listAll } from './list-all.ts'
import { isTime } from './record-values.ts'
import { type ListedRecord, type Records, type Store, UnreadableRecord } from './store.ts'

/** How long a token is valid unless its creator says otherwise: 90 days, in milliseconds. */
const adminTokenLifeMs = 90 * 24 * 60 * 60_000

/** An admin token as it is stored: without its secret. Times are milliseconds since 1970. */
export interface AdminTokenRecord {
  id: string
  /** `sha256:<64 hex digits>` of the secret. */
  hash: string
  role: Role
  createdAt: number
  /** The kind and the id of an actor, such as `token:ops`. */
  createdBy: string
  expiresAt: number
  /** When it last authenticated a request, to the minute. Absent: never. */
  lastUsedAt?: number
  /** Absent: not revoked. Its id is never used again. */
  revokedAt?: number
}

/** A token of the store. The record of an unreadable one is damaged, so no secret matches it. */
export type StoredAdminToken = AdminTokenRecord | { readonly id: string; readonly unreadable: true }

/** The settings of a new token. `expiresAt` is in milliseconds since 1970. */
interface NewAdminToken {
  id: string
  role: Role
  createdBy: string
  expiresAt?: number | undefined
}

/** A new token and its secret, which is shown only once. */
export interface IssuedAdminToken {
  token: AdminTokenRecord
  secret: string
}

/** Creates a token; `undefined` if the id exists, also of a revoked token. */
export async function createAdminToken(
  store: Pick<Store, 'records'>,
  { id, role, createdBy, expiresAt }: NewAdminToken,
  now: number = Date.now(),
): Promise<IssuedAdminToken | undefined> {
  const secret = createAdminSecret()
  const token: AdminTokenRecord = {
    id,
    hash: hashSecret(secret),
    role,
    createdAt: now,
    createdBy,
    expiresAt: expiresAt ?? now + adminTokenLifeMs,
  }
  return (await adminTokenRecords(store).add(id, token)) ? { token, secret } : undefined
}

/** The token of this id; `undefined` for an unknown id. */
export async function getAdminToken(
  store: Pick<Store, 'records'>,
  id: string,
): Promise<StoredAdminToken | undefined> {
  try {
    const value = await adminTokenRecords(store).get(id)
    return value === undefined ? undefined : readAdminToken({ id, value })
  } catch (error) {
    if (error instanceof UnreadableRecord) return { id, unreadable: true }
    throw error
  }
}

/** Lists all tokens, revoked, expired and unreadable ones too, in the order of their ids. */
export async function listAdminTokens(store: Pick<Store, 'records'>): Promise<StoredAdminToken[]> {
  return (await listAll(adminTokenRecords(store))).map((record) => readAdminToken(record))
}

/**
 * Revokes a token permanently; `undefined` for an unknown id. Rejects with
 * `UnreadableRecord` for a damaged record, whose secret no caller has.
 */
export async function revokeAdminToken(
  store: Pick<Store, 'records'>,
  id: string,
  now: number = Date.now(),
): Promise<AdminTokenRecord | undefined> {
  return adminTokenRecords(store).update(id, (known) => {
    if (!isAdminToken(known, id)) throw new UnreadableRecord()
    return known.revokedAt === undefined ? { ...known, revokedAt: now } : undefined
  })
}

/** Notes that a token has authenticated a request. A damaged record stays as it is. */
export async function touchAdminToken(
  store: Pick<Store, 'records'>,
  id: string,
  now: number,
): Promise<void> {
  await adminTokenRecords(store).update(id, (known) =>
    isAdminToken(known, id) && (known.lastUsedAt ?? 0) < now
      ? { ...known, lastUsedAt: now }
      : undefined,
  )
}

/** The token of a record. */
export function readAdminToken({ id, value }: ListedRecord<AdminTokenRecord>): StoredAdminToken {
  return isAdminToken(value, id) ? value : { id, unreadable: true }
}

/** Whether a record is a token, of this id, as this version of the gateway reads it. */
function isAdminToken(value: unknown, id: string): value is AdminTokenRecord {
  const token = Object(value) as Partial<Record<keyof AdminTokenRecord, unknown>>
  return (
    token.id === id &&
    typeof token.hash === 'string' &&
    /^sha256:[0-9a-f]{64}$/.test(token.hash) &&
    roles.some((role) => role === token.role) &&
    isTime(token.createdAt) &&
    typeof token.createdBy === 'string' &&
    isTime(token.expiresAt) &&
    (token.lastUsedAt === undefined || isTime(token.lastUsedAt)) &&
    (token.revokedAt === undefined || isTime(token.revokedAt))
  )
}

/** The admin tokens in a store. */
export function adminTokenRecords(store: Pick<Store, 'records'>): Records<AdminTokenRecord> {
  return store.records<AdminTokenRecord>('admin-tokens', { listed: true })
}
