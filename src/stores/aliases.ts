import type { AliasSetting, AliasSettings, ReplyModel } from '../contract/account.ts'
import type { MaybePromise } from '../lib/maybe-promise.ts'
import { followRecords } from './follow.ts'
import { listAll } from './list-all.ts'
import { addVersioned, deleteVersioned } from './versions.ts'
import { isTime, isVersion } from './record-values.ts'
import type { ListedRecord, Records, Store } from './store.ts'

/** An alias as it is stored. */
interface AliasRecord {
  name: string
  /** A platform model, or another alias. */
  model: string
  replyModel?: ReplyModel
  /** Counts the changes, from 1. No version of a name comes twice. */
  version: number
  /** Milliseconds since 1970. */
  changedAt: number
  /** The kind and the id of an actor, such as `token:ops`. */
  changedBy: string
}

/** The settings of an alias that an operator writes. */
interface NewAlias extends Pick<AliasRecord, 'name' | 'model' | 'changedBy'> {
  /** Default: the value of the replaced record. Null: no reply model. */
  readonly replyModel?: ReplyModel | null | undefined
}

/**
 * Writes an alias. `expectedVersion` is the only version that may be replaced, 0 for an alias that must not
 * exist; absent: any. Resolves with `undefined`, and changes nothing, if the store has another version.
 */
export async function writeAlias(
  store: Pick<Store, 'records'>,
  alias: NewAlias,
  expectedVersion: number | undefined,
): Promise<AliasRecord | undefined> {
  const records = aliasRecords(store)
  const { replyModel, ...given } = alias
  const { name } = given
  const next = (version: number, kept?: ReplyModel): AliasRecord => {
    const reply = replyModel === undefined ? kept : replyModel
    return { ...given, ...(reply && { replyModel: reply }), version, changedAt: Date.now() }
  }
  const isExpected = (version: number) => (expectedVersion ?? version) === version
  if (isExpected(0)) {
    const created = await addVersioned(store, records, { namespace, id: name, record: next(0) })
    if (created) return created
  }
  if (expectedVersion === 0) return undefined
  let written: AliasRecord | undefined
  await records.update(name, (value) => {
    const version = versionOf(value)
    const known = { id: name, value }
    const kept = isAlias(known) ? known.value.replyModel : undefined
    written = isExpected(version) ? next(version + 1, kept) : undefined
    return written
  })
  return written
}

/** Deletes an alias of a version; whether it did. */
export function deleteAlias(
  store: Pick<Store, 'records'>,
  name: string,
  version: number,
): Promise<boolean> {
  return deleteVersioned(store, aliasRecords(store), { namespace, id: name, version })
}

/** The names of all aliases, damaged ones too, in their order. */
export async function listAliasNames(store: Pick<Store, 'records'>): Promise<string[]> {
  return (await listAll(aliasRecords(store))).map(({ id }) => id)
}

/** The aliases of the store, in memory. */
export interface StoredAliases {
  /** The records that can be read, by name. */
  readonly records: ReadonlyMap<string, AliasRecord>
  /** The same for a snapshot of the accounts. */
  readonly settings: AliasSettings
  /** Adds a listener for changes. `catchUp` waits for it. */
  onChange(listener: () => MaybePromise<void>): void
  /** Reads the changes of other processes. Never rejects. */
  catchUp(): Promise<void>
  /** The last read failed: the aliases are what was known last. */
  readonly isStale: boolean
  close(): void
}

/** Options of `followAliases`. */
interface AliasesOptions {
  readonly store: Pick<Store, 'records'>
  /** Called when the store fails, and once a minute while it does. The last known aliases stay in use. */
  readonly onError: (error: unknown) => void
  /** Called with the names of aliases whose records are damaged, when these change. */
  readonly onUnreadable: (names: readonly string[]) => void
}

/**
 * Follows the store: an alias that another process writes is known within two seconds. An alias whose record
 * is damaged does not exist.
 */
export async function followAliases({
  store,
  onError,
  onUnreadable,
}: AliasesOptions): Promise<StoredAliases> {
  const listeners: (() => MaybePromise<void>)[] = []
  let records: ReadonlyMap<string, AliasRecord> = new Map()
  let settings: AliasSettings = {}
  let unreadable = ''
  const follower = await followRecords({
    records: aliasRecords(store),
    async onRecords(listed) {
      const readable: AliasRecord[] = []
      const damaged: string[] = []
      for (const one of listed) {
        if (isAlias(one)) readable.push(one.value)
        else damaged.push(one.id)
      }
      if (damaged.length > 0 && damaged.join() !== unreadable) onUnreadable(damaged)
      unreadable = damaged.join()
      records = new Map(readable.map((one) => [one.name, one]))
      const changed = Object.fromEntries(readable.map((one) => [one.name, settingOf(one)]))
      // A store in memory reports the writes of all namespaces.
      if (JSON.stringify(changed) === JSON.stringify(settings)) return
      settings = changed
      for (const listener of listeners) await listener()
    },
    onError,
  })
  return {
    get records() {
      return records
    },
    get settings() {
      return settings
    },
    onChange: (listener) => void listeners.push(listener),
    catchUp: () => follower.catchUp(),
    get isStale() {
      return follower.isStale
    },
    close: () => follower.close(),
  }
}

function settingOf({ model, replyModel }: AliasRecord): AliasSetting {
  return replyModel ? { model, replyModel } : { model }
}

function isAlias(
  record: ListedRecord<AliasRecord>,
): record is ListedRecord<AliasRecord> & { value: AliasRecord } {
  const alias = Object(record.value) as Partial<Record<keyof AliasRecord, unknown>>
  return (
    alias.name === record.id &&
    typeof alias.model === 'string' &&
    alias.model !== '' &&
    replyModels.has(alias.replyModel) &&
    isVersion(alias.version) &&
    isTime(alias.changedAt) &&
    typeof alias.changedBy === 'string'
  )
}

const replyModels: ReadonlySet<unknown> = new Set<ReplyModel | undefined>([
  'account',
  'client',
  undefined,
])

/** A damaged record is written again. */
function versionOf(known: AliasRecord): number {
  const { version } = Object(known) as Partial<AliasRecord>
  return isVersion(version) ? version : 1
}

function aliasRecords(store: Pick<Store, 'records'>): Records<AliasRecord> {
  return store.records<AliasRecord>(namespace, { listed: true })
}

const namespace = 'aliases'
