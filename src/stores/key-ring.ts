import { hash, timingSafeEqual } from 'node:crypto'

import type { LossPolicy } from '../generate/unsupported.ts'
import { followRecords } from './follow.ts'
import { type KeyRecord, keyRecords } from './keys.ts'
import type { Store } from './store.ts'

/** A key that somebody presented the right secret of. It may be disabled or expired. */
export interface ApiKey {
  readonly id: string
  /** Names and patterns of the models that this key may use. Absent: all. */
  readonly models?: readonly string[]
  /** Milliseconds since 1970. */
  readonly expiresAt?: number
  readonly disabled: boolean
  /** Whether its holder may be told how calls are routed. */
  readonly explain?: boolean
  /** What becomes of what an account cannot be asked for. Absent: as the configuration says. */
  readonly losses?: LossPolicy
}

/** Where API keys are looked up for a request: in memory, never in the store. */
export interface KeyRing {
  /** The key of a presented secret: the same object until the keys change. */
  find(secret: string): ApiKey | undefined
  /** The store cannot be read just now: a secret that is not found may be that of a new key. */
  readonly isStale: boolean
  /** Looks for keys that were written since. Never rejects; `isStale` tells whether it could. */
  catchUp(): Promise<void>
  /** How many keys there are that let their holders in now. */
  readonly size: number
  /** Other keys of the configuration, from now on. */
  configure(configured: readonly RingKey[]): void
  close(): void
}

/** A key and the hash of its secret, as configuration and store have it. */
export type RingKey = Pick<
  KeyRecord,
  'id' | 'hash' | 'models' | 'expiresAt' | 'disabled' | 'explain' | 'losses'
>

export interface KeyRingOptions {
  /** Keys of the configuration. They win over stored keys of the same id. */
  configured: readonly RingKey[]
  store: Store
  /** Told when the store fails, and once a minute while it does. The last known keys stay in use. */
  onError: (error: unknown) => void
}

/**
 * Merges configured and stored keys and follows the store: a key written by another process is
 * known within two seconds. While the store cannot be read, the keys known last stay in use.
 */
export async function createKeyRing({
  configured,
  store,
  onError,
}: KeyRingOptions): Promise<KeyRing> {
  let fromConfiguration = configured
  let fromStore: readonly RingKey[] = []
  let keys = merge(configured, [])
  const follower = await followRecords({
    records: keyRecords(store),
    onRecords(records) {
      fromStore = records.map(({ value }) => value)
      keys = merge(fromConfiguration, fromStore)
    },
    onError,
  })

  return {
    find: (secret) => find(keys, secret),
    get isStale() {
      return follower.isStale
    },
    catchUp: () => follower.catchUp(),
    get size() {
      return keys
        .values()
        .filter(({ key }) => isUsable(key))
        .toArray().length
    },
    configure(changed) {
      fromConfiguration = changed
      keys = merge(fromConfiguration, fromStore)
    },
    close: () => follower.close(),
  }
}

interface Entry {
  /** In hexadecimal digits, as bytes. */
  readonly digest: Buffer
  readonly key: ApiKey
}

function find(keys: ReadonlyMap<string, Entry>, secret: string): ApiKey | undefined {
  const digest = hash('sha256', secret, 'hex')
  const entry = keys.get(digest)
  // The look-up's timing tells of digests only, which nobody can aim; the comparison of none.
  return entry && timingSafeEqual(entry.digest, Buffer.from(digest, 'latin1'))
    ? entry.key
    : undefined
}

function isUsable({ disabled, expiresAt = Infinity }: ApiKey): boolean {
  return !disabled && expiresAt > Date.now()
}

function merge(
  configured: readonly RingKey[],
  stored: readonly RingKey[],
): ReadonlyMap<string, Entry> {
  const taken = new Set(configured.map(({ id }) => id))
  const all = [...stored.filter(({ id }) => !taken.has(id)), ...configured]
  return new Map(all.map((key) => toEntry(key)))
}

function toEntry({
  id,
  hash: text,
  models,
  expiresAt,
  disabled,
  explain,
  losses,
}: RingKey): [string, Entry] {
  const digest = text.slice('sha256:'.length).toLowerCase()
  const key: ApiKey = {
    id,
    ...(models && { models }),
    ...(expiresAt !== undefined && { expiresAt }),
    disabled,
    ...(explain !== undefined && { explain }),
    ...(losses && { losses }),
  }
  return [digest, { key, digest: Buffer.from(digest, 'latin1') }]
}
