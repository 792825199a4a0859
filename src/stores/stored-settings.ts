import type { MaybePromise } from '../lib/maybe-promise.ts'
import { followRecords } from './follow.ts'
import { isTime, isVersion } from './record-values.ts'
import { type ListedRecord, type Records, type Store, UnreadableRecord } from './store.ts'
import { addVersioned, deleteVersioned } from './versions.ts'

/** The members of each setting that operators write to the store. */
export interface StoredSetting {
  /** Counts the changes, from 1. No version of an id comes twice. */
  version: number
  /** Milliseconds since 1970. */
  changedAt: number
  /** The kind and the id of an actor, such as `token:ops`. */
  changedBy: string
}

/** A kind of settings in the store. */
export interface SettingKind<T extends StoredSetting> {
  readonly namespace: string
  /** Whether a value has the other members of a record of this id, as this version of the gateway reads them. */
  readonly isReadable: (value: Partial<Record<keyof T, unknown>>, id: string) => boolean
}

/** A change of a setting. */
export interface SettingChange<T extends StoredSetting> {
  readonly id: string
  /** The only version that may be replaced, 0 for a setting that must not exist. Absent: any. */
  readonly expectedVersion?: number | null | undefined
  readonly changedBy: string
  /** Whether only a setting that exists is written. */
  readonly mustExist?: boolean | undefined
  /** The other members. `known`: the record that is replaced; `undefined` for none and for a damaged one. */
  readonly next: (known: T | undefined) => Omit<T, keyof StoredSetting>
}

/** Writes a setting. Resolves with `undefined`, and changes nothing, if the store has another version, or none. */
export async function writeSetting<T extends StoredSetting>(
  store: Pick<Store, 'records'>,
  kind: SettingKind<T>,
  { id, expectedVersion, changedBy, mustExist = false, next }: SettingChange<T>,
): Promise<T | undefined> {
  const records = recordsOf(store, kind)
  const { namespace } = kind
  const recordOf = (version: number, known?: T) =>
    ({ ...next(known), version, changedAt: Date.now(), changedBy }) as T
  const isExpected = (version: number) => (expectedVersion ?? version) === version
  if (isExpected(0) && !mustExist) {
    const created = await addVersioned(store, records, { namespace, id, record: recordOf(0) })
    if (created) return created
  }
  if (expectedVersion === 0) return undefined
  let written: T | undefined
  await records.update(id, (value) => {
    const version = versionOf(value)
    const known = settingOf(kind, { id, value })
    written = isExpected(version) ? recordOf(version + 1, known) : undefined
    return written
  })
  return written
}

/** Deletes a setting of a version; whether it did. */
export function deleteSetting<T extends StoredSetting>(
  store: Pick<Store, 'records'>,
  kind: SettingKind<T>,
  { id, version }: { readonly id: string; readonly version: number },
): Promise<boolean> {
  const { namespace } = kind
  return deleteVersioned(store, recordsOf(store, kind), { namespace, id, version })
}

/** Deletes the record of a setting that is damaged; whether it did. */
export async function deleteDamagedSetting<T extends StoredSetting>(
  store: Pick<Store, 'records'>,
  kind: SettingKind<T>,
  id: string,
): Promise<boolean> {
  const records = recordsOf(store, kind)
  try {
    return await records.deleteIf(id, (value) => settingOf(kind, { id, value }) === undefined)
  } catch (error) {
    if (!(error instanceof UnreadableRecord)) throw error
    return await records.delete(id)
  }
}

/** The settings of a kind, in memory. */
export interface FollowedSettings<T extends StoredSetting> {
  /** The records that can be read, by id. Another object after each change. */
  readonly records: ReadonlyMap<string, T>
  /** The ids of the records that are damaged. */
  readonly unreadable: readonly string[]
  /** Adds a listener for changes. `catchUp` waits for it. */
  onChange(listener: () => MaybePromise<void>): void
  /** Reads the changes of other processes. Never rejects. */
  catchUp(): Promise<void>
  /** The last read failed: the settings are what was known last. */
  readonly isStale: boolean
  close(): void
}

/** Options of `followSettings`. */
export interface FollowOptions {
  readonly store: Pick<Store, 'records'>
  /** Called when the store fails, and once a minute while it does. The last known settings stay in use. */
  readonly onError: (error: unknown) => void
  /** Called with the ids of settings whose records are damaged, when these change. */
  readonly onUnreadable: (ids: readonly string[]) => void
}

/** Follows the store: a setting that another process writes is known within two seconds. */
export async function followSettings<T extends StoredSetting>(
  kind: SettingKind<T>,
  { store, onError, onUnreadable }: FollowOptions,
): Promise<FollowedSettings<T>> {
  const listeners: (() => MaybePromise<void>)[] = []
  let records: ReadonlyMap<string, T> = new Map()
  let text = '[[]]'
  let unreadable: readonly string[] = []
  const follower = await followRecords({
    records: recordsOf(store, kind),
    async onRecords(listed) {
      const readable = new Map<string, T>()
      const damaged: string[] = []
      for (const one of listed) {
        const setting = settingOf(kind, one)
        if (setting) readable.set(one.id, setting)
        else damaged.push(one.id)
      }
      if (damaged.length > 0 && damaged.join() !== unreadable.join()) onUnreadable(damaged)
      unreadable = damaged
      // A store in memory reports the writes of all namespaces.
      const changed = JSON.stringify([damaged, ...readable.values()])
      if (changed === text) return
      text = changed
      records = readable
      for (const listener of listeners) await listener()
    },
    onError,
  })
  return {
    get records() {
      return records
    },
    get unreadable() {
      return unreadable
    },
    onChange: (listener) => void listeners.push(listener),
    catchUp: () => follower.catchUp(),
    get isStale() {
      return follower.isStale
    },
    close: () => follower.close(),
  }
}

/** The setting of a record; `undefined` for a damaged one. */
function settingOf<T extends StoredSetting>(
  { isReadable }: SettingKind<T>,
  { id, value }: ListedRecord<T>,
): T | undefined {
  const record = Object(value) as Partial<Record<keyof T, unknown>>
  const isWhole =
    isVersion(record.version) &&
    isTime(record.changedAt) &&
    typeof record.changedBy === 'string' &&
    isReadable(record, id)
  return isWhole ? value : undefined
}

/** A damaged record is written again. */
function versionOf(known: StoredSetting): number {
  const { version } = Object(known) as Partial<StoredSetting>
  return isVersion(version) ? version : 1
}

/** The records of a kind of settings. */
function recordsOf<T extends StoredSetting>(
  store: Pick<Store, 'records'>,
  { namespace }: SettingKind<T>,
): Records<T> {
  return store.records<T>(namespace, { listed: true })
}
