import {
  type AliasSetting,
  type AliasSettings,
  type FallbackSetting,
  type ReplyModel,
  type Strategy,
  fallbackKinds,
  strategies,
} from '../contract/account.ts'
import { computedOnce } from '../lib/computed-once.ts'
import { defined } from '../lib/json/object.ts'
import { listAll } from './list-all.ts'
import type { Store } from './store.ts'
import {
  type FollowOptions,
  type FollowedSettings,
  type SettingKind,
  type StoredSetting,
  deleteSetting,
  followSettings,
  writeSetting,
} from './stored-settings.ts'

/** An alias as it is stored. */
interface AliasRecord extends StoredSetting, AliasMembers {
  name: string
  /** A platform model, or another alias; the own name for settings of the model. */
  model: string
}

/** The settings that an alias may do without. */
interface AliasMembers {
  replyModel?: ReplyModel
  strategy?: Strategy
  fallbacks?: readonly FallbackSetting[]
}

const kind: SettingKind<AliasRecord> = {
  namespace: 'aliases',
  isReadable: ({ name, model, replyModel, strategy, fallbacks }, id) =>
    name === id &&
    typeof model === 'string' &&
    model !== '' &&
    replyModels.has(replyModel) &&
    (strategy === undefined || isOneOf(strategies, strategy)) &&
    (fallbacks === undefined || isFallbacks(fallbacks)),
}

/** What an operator writes of them. Absent: the value of the replaced record. Null: none. */
export type ChangedMembers = {
  readonly [Name in keyof AliasMembers]?: AliasMembers[Name] | null | undefined
}

/** The settings of an alias that an operator writes. */
interface NewAlias extends Pick<AliasRecord, 'name' | 'model' | 'changedBy'>, ChangedMembers {}

/**
 * Writes an alias. `expectedVersion` is the only version that may be replaced, 0 for an alias that must not
 * exist; absent: any. Resolves with `undefined`, and changes nothing, if the store has another version.
 */
export function writeAlias(
  store: Pick<Store, 'records'>,
  { name, model, changedBy, ...changed }: NewAlias,
  expectedVersion: number | undefined,
): Promise<AliasRecord | undefined> {
  return writeSetting(store, kind, {
    id: name,
    expectedVersion,
    changedBy,
    next: (known) => ({ name, model, ...changeMembers(known ?? {}, changed) }),
  })
}

/** The settings of an alias after a change. */
export function changeMembers(kept: AliasMembers, changed: ChangedMembers): AliasMembers {
  return membersOf({ ...membersOf(kept), ...defined(changed) })
}

/** The settings that an alias has. An empty list of fallbacks says that there are none. */
export function membersOf({ replyModel, strategy, fallbacks }: ChangedMembers): AliasMembers {
  return {
    ...(replyModel && { replyModel }),
    ...(strategy && { strategy }),
    ...(fallbacks && { fallbacks }),
  }
}

/** Deletes an alias of a version; whether it did. */
export function deleteAlias(
  store: Pick<Store, 'records'>,
  name: string,
  version: number,
): Promise<boolean> {
  return deleteSetting(store, kind, { id: name, version })
}

/** The names of all aliases, damaged ones too, in their order. */
export async function listAliasNames(store: Pick<Store, 'records'>): Promise<string[]> {
  return (await listAll(store.records(kind.namespace, { listed: true }))).map(({ id }) => id)
}

/** The aliases of the store, in memory. */
export interface StoredAliases extends FollowedSettings<AliasRecord> {
  /** The aliases in the form of the configuration, for a snapshot of the accounts. */
  readonly settings: AliasSettings
}

/** Follows the aliases of the store. */
export async function followAliases(options: FollowOptions): Promise<StoredAliases> {
  const followed = await followSettings(kind, options)
  return {
    get records() {
      return followed.records
    },
    get settings() {
      return settingsOf(followed.records)
    },
    get unreadable() {
      return followed.unreadable
    },
    get isStale() {
      return followed.isStale
    },
    onChange: followed.onChange,
    catchUp: followed.catchUp,
    close: followed.close,
  }
}

const settingsOf = computedOnce((records: ReadonlyMap<string, AliasRecord>): AliasSettings =>
  Object.fromEntries([...records].map(([name, one]) => [name, settingOf(one)])),
)

function settingOf(alias: AliasRecord): AliasSetting {
  return { model: alias.model, ...membersOf(alias) }
}

function isOneOf(values: readonly unknown[], value: unknown): boolean {
  return values.includes(value)
}

function isFallbacks(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every((one: unknown) => {
      const { model, on } = Object(one) as Partial<Record<keyof FallbackSetting, unknown>>
      if (typeof model !== 'string' || model === '' || !Array.isArray(on)) return false
      return on.every((kind) => isOneOf(fallbackKinds, kind))
    })
  )
}

const replyModels: ReadonlySet<unknown> = new Set<ReplyModel | undefined>([
  'account',
  'client',
  undefined,
])
