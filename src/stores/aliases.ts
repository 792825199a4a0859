import type { AliasSetting, AliasSettings, ReplyModel } from '../contract/account.ts'
import { computedOnce } from '../lib/computed-once.ts'
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
interface AliasRecord extends StoredSetting {
  name: string
  /** A platform model, or another alias. */
  model: string
  replyModel?: ReplyModel
}

const kind: SettingKind<AliasRecord> = {
  namespace: 'aliases',
  isReadable: ({ name, model, replyModel }, id) =>
    name === id && typeof model === 'string' && model !== '' && replyModels.has(replyModel),
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
export function writeAlias(
  store: Pick<Store, 'records'>,
  { name, model, replyModel, changedBy }: NewAlias,
  expectedVersion: number | undefined,
): Promise<AliasRecord | undefined> {
  return writeSetting(store, kind, {
    id: name,
    expectedVersion,
    changedBy,
    next(known) {
      const reply = replyModel === undefined ? known?.replyModel : replyModel
      return { name, model, ...(reply && { replyModel: reply }) }
    },
  })
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
  /** The same for a snapshot of the accounts. */
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

function settingOf({ model, replyModel }: AliasRecord): AliasSetting {
  return replyModel ? { model, replyModel } : { model }
}

const replyModels: ReadonlySet<unknown> = new Set<ReplyModel | undefined>([
  'account',
  'client',
  undefined,
])
