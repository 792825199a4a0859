import { hash } from 'node:crypto'

import { ConfigurationError } from '../contract/problems.ts'
import type { ErrorForm } from '../contract/request.ts'
import type { LossPolicy } from '../generate/unsupported.ts'
import { computedOnce } from '../lib/computed-once.ts'
import { type Work, run, runInTurns } from '../lib/turns.ts'
import { followRecords } from './follow.ts'
import { type KeyRecord, keyRecords, readKey } from './keys.ts'
import { type OperatorStates, followStates } from './operator-states.ts'
import type { ListedRecord, Store } from './store.ts'

/** An API key whose secret a caller presented. It may be disabled or expired. */
export interface ApiKey {
  readonly id: string
  /** Names and patterns of the models that the key may use. Absent: all. */
  readonly models?: readonly string[]
  /** The id of its team. Absent: it has none. */
  readonly team?: string
  /** Milliseconds since 1970. */
  readonly expiresAt?: number
  readonly disabled: boolean
  /** Whether its caller may see how calls are routed. */
  readonly explain?: boolean
  /** The handling of parameters that an account does not support. Absent: the configuration's. */
  readonly losses?: LossPolicy
  /** The form of errors. Absent: the configuration's. */
  readonly errors?: ErrorForm
}

/** The API keys in memory. Requests look keys up here, never in the store. */
export interface KeyRing {
  /**
   * The key of a secret: the same object until the keys change. A former secret whose grace period is over has an
   * expired key.
   */
  find(secret: string): ApiKey | undefined
  /** The key of an id. */
  get(id: string): ApiKey | undefined
  /** The last read failed, so an unknown secret may belong to a new key. */
  readonly isStale: boolean
  /** Reads changes of the store. Never rejects; `isStale` is true after a failure. */
  catchUp(): Promise<void>
  /** The keys that an operator has disabled, of the configuration and the store. */
  readonly states: Pick<OperatorStates, 'disabled' | 'reasonOf' | 'isStale'>
  /** The keys of the configuration in use. */
  readonly configured: readonly RingKey[]
  /**
   * The first time that each usable key was presented since the last call, by the key's id, in
   * milliseconds since 1970.
   */
  takeUses(): ReadonlyMap<string, number>
  /** When a key was used since the last call of `takeUses`, in milliseconds since 1970. */
  lastUse(id: string): number | undefined
  /** The keys of the configuration, then the keys of the store, without damaged ones. Operators may have disabled them. */
  all(): Iterable<ApiKey>
  /** The number of keys that are neither disabled nor expired. */
  readonly size: number
  /** The number of stored keys whose records are damaged, so that they are disabled. */
  readonly unreadable: number
  /**
   * Prepares other keys of the configuration; the returned function replaces them. Throws
   * `ConfigurationError` for a key without a hash; then nothing changes.
   */
  prepare(configured: readonly RingKey[]): () => void
  close(): void
}

/** A key of the configuration or the store, with the hash of its secret. */
export type RingKey = Pick<
  KeyRecord,
  | 'id'
  | 'hash'
  | 'models'
  | 'team'
  | 'labels'
  | 'expiresAt'
  | 'disabled'
  | 'explain'
  | 'losses'
  | 'errors'
  | 'previous'
>

/** The options of `createKeyRing`. */
interface KeyRingOptions {
  /** Keys of the configuration. They override stored keys of the same id. */
  configured: readonly RingKey[]
  store: Store
  /**
   * Called when the store fails, and once a minute while it does. The last known keys stay in use.
   */
  onError: (error: unknown) => void
  /** Called with the ids of keys whose records are damaged, when these change. */
  onUnreadable?: (ids: readonly string[]) => void
}

/**
 * Merges configured and stored keys, and follows the store: a key that another process writes is
 * known within two seconds. While the store fails, the last known keys stay in use.
 */
export async function createKeyRing({
  configured,
  store,
  onError,
  onUnreadable = () => {},
}: KeyRingOptions): Promise<KeyRing> {
  let fromConfiguration = configured
  let own = run(collect(configured))
  let fromStore: Keys = noKeys
  let secrets = new Secrets(own, fromStore)
  let unreadable: readonly string[] = []
  let uses = new Map<string, number>()
  /** Marks the entries that `uses` has: a repeated use costs one comparison. */
  let period = 1
  const noteUse = (entry: Entry, key: ApiKey) => {
    entry.usedIn = period
    if (isUsable(key)) uses.set(key.id, Date.now())
  }
  // First, so that no stored key is accepted before it is known whether an operator has disabled it.
  const states = await followStates({ store, of: 'key', onError })
  let { disabled } = states
  states.onChange(() => void ({ disabled } = states))
  const inForce = (key: ApiKey) => (disabled.has(key.id) ? disabledTwin(key) : key)
  const follower = await followRecords({
    records: keyRecords(store),
    async onRecords(records) {
      const damaged: string[] = []
      const next = await runInTurns(collect(readable(records, damaged)))
      fromStore = next
      secrets = new Secrets(own, fromStore)
      const before = unreadable.join()
      unreadable = damaged
      if (unreadable.length > 0 && unreadable.join() !== before) onUnreadable(unreadable)
    },
    onError,
  })

  function* all(): Generator<ApiKey> {
    for (const { key } of own.byId.values()) yield key
    for (const { key } of fromStore.byId.values()) if (!own.byId.has(key.id)) yield key
  }

  return {
    find(secret) {
      const entry = secrets.find(secret)
      if (!entry) return undefined
      const { until } = entry
      const key = inForce(entry.key)
      if (until !== undefined && until <= Date.now()) return { ...key, expiresAt: until }
      if (entry.usedIn !== period) noteUse(entry, key)
      return key
    },
    get(id) {
      const entry = own.byId.get(id) ?? fromStore.byId.get(id)
      return entry && inForce(entry.key)
    },
    get isStale() {
      return follower.isStale
    },
    async catchUp() {
      await Promise.all([states.catchUp(), follower.catchUp()])
    },
    states,
    get configured() {
      return fromConfiguration
    },
    lastUse: (id) => uses.get(id),
    takeUses() {
      const taken = uses
      uses = new Map()
      period++
      return taken
    },
    all,
    get size() {
      let usable = 0
      for (const key of all()) if (isUsable(inForce(key))) usable++
      return usable
    },
    get unreadable() {
      return unreadable.length
    },
    prepare(changed) {
      assertHashed(changed)
      const next = run(collect(changed))
      return () => {
        fromConfiguration = changed
        own = next
        secrets = new Secrets(own, fromStore)
      }
    },
    close() {
      states.close()
      follower.close()
    },
  }
}

/** A key that an operator has disabled: the same object until the keys change. */
const disabledTwin = computedOnce((key: ApiKey): ApiKey => ({ ...key, disabled: true }))

function assertHashed(configured: readonly RingKey[]): void {
  const problems = configured.flatMap(({ id, hash: text }, index) =>
    /^sha256:[\da-f]{64}$/i.test(text)
      ? []
      : [
          {
            path: `keys[${index}].hash`,
            message: `of the key "${id}" is not the hash of a secret`,
            fix: 'pass the keys that resolveSettings returns',
          },
        ],
  )
  if (problems.length > 0) throw new ConfigurationError(problems)
}

interface Entry {
  readonly key: ApiKey
  /** When the secret ends, apart from its key. In milliseconds since 1970. */
  readonly until: number | undefined
  /** The last period in which it was used, see `takeUses`. */
  usedIn: number
}

/** Keys by the digests of their secrets, and by their ids. */
interface Keys {
  readonly bySecret: ReadonlyMap<string, Entry>
  /** The entry of the present secret. */
  readonly byId: ReadonlyMap<string, Entry>
}

const noKeys: Keys = { bySecret: new Map(), byId: new Map() }

/** The keys by their secrets. Its timing depends on digests, and on seeded hashes of whole texts. */
class Secrets {
  readonly #own: Keys
  readonly #stored: Keys
  /** The secrets that callers have presented: hashing one again costs more than all the rest. */
  readonly #presented = new Map<string, Entry>()

  constructor(own: Keys, stored: Keys) {
    this.#own = own
    this.#stored = stored
  }

  find(secret: string): Entry | undefined {
    return this.#presented.get(secret) ?? this.#lookUp(secret)
  }

  #lookUp(secret: string): Entry | undefined {
    const entry = this.#entryOf(hash('sha256', secret, 'hex'))
    // Only secrets of keys are kept, each as a copy: a part of a text keeps the whole header in memory.
    if (entry) this.#presented.set(Buffer.from(secret).toString(), entry)
    return entry
  }

  /** A key of the configuration overrides a stored one of its id, with each of its secrets. */
  #entryOf(digest: string): Entry | undefined {
    const own = this.#own.bySecret.get(digest)
    if (own) return own
    const stored = this.#stored.bySecret.get(digest)
    return stored && this.#own.byId.has(stored.key.id) ? undefined : stored
  }
}

function isUsable({ disabled, expiresAt = Infinity }: ApiKey): boolean {
  return !disabled && expiresAt > Date.now()
}

/** Collects keys, one at a step. */
function* collect(keys: Iterable<RingKey>): Work<Keys> {
  const bySecret = new Map<string, Entry>()
  const byId = new Map<string, Entry>()
  for (const one of keys) {
    const key = toKey(one)
    // Both secrets of a key are one key for callers, up to the end of the former one.
    if (one.previous) addEntry(bySecret, key, one.previous.hash, one.previous.until)
    byId.set(key.id, addEntry(bySecret, key, one.hash))
    yield
  }
  return { bySecret, byId }
}

/** The keys of records; the ids of damaged ones are added to `damaged`. */
function* readable(
  records: readonly ListedRecord<KeyRecord>[],
  damaged: string[],
): Generator<RingKey, void> {
  for (const record of records) {
    const key = readKey(record)
    if (key.unreadable) damaged.push(key.id)
    else yield key
  }
}

function addEntry(entries: Map<string, Entry>, key: ApiKey, text: string, until?: number): Entry {
  const digest = text.slice('sha256:'.length).toLowerCase()
  const entry = { key, until, usedIn: 0 }
  entries.set(digest, entry)
  return entry
}

function toKey(key: RingKey): ApiKey {
  const { id, models, team, expiresAt, disabled, explain, losses, errors } = key
  return {
    id,
    ...(models && { models }),
    ...(team !== undefined && { team }),
    ...(expiresAt !== undefined && { expiresAt }),
    disabled,
    ...(explain !== undefined && { explain }),
    ...(losses && { losses }),
    ...(errors && { errors }),
  }
}
