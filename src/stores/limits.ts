import type { LimitSubject, QuotaSetting } from '../contract/quota.ts'
import { isTime } from './record-values.ts'
import type { Store } from './store.ts'
import {
  type FollowOptions,
  type FollowedSettings,
  type SettingChange,
  type SettingKind,
  type StoredSetting,
  deleteDamagedSetting,
  deleteSetting,
  followSettings,
  writeSetting,
} from './stored-settings.ts'

/** A limit that an operator has set. */
export interface LimitRecord extends StoredSetting {
  /** `Limit.id`. */
  readonly id: string
  readonly subject: LimitSubject
  readonly quota: QuotaSetting
}

/** What an operator has granted to a limit for a while. */
export interface ExtraRecord extends StoredSetting {
  /** `Limit.id`. */
  readonly id: string
  /** Calls, tokens or nano-dollars. */
  readonly amount: number
  /** Milliseconds since 1970. */
  readonly until: number
}

const limits: SettingKind<LimitRecord> = {
  namespace: 'limits',
  isReadable({ id, subject, quota }, key) {
    const { type, id: of } = Object(subject) as Partial<Record<keyof LimitSubject, unknown>>
    const { kind } = Object(quota) as Partial<Record<keyof QuotaSetting, unknown>>
    return id === key && [type, of, kind].every((one) => typeof one === 'string')
  },
}

const extras: SettingKind<ExtraRecord> = {
  namespace: 'limit-extras',
  isReadable: ({ id, amount, until }, key) =>
    id === key && Number.isSafeInteger(amount) && (amount as number) >= 0 && isTime(until),
}

type Change = Omit<SettingChange<LimitRecord>, 'id' | 'next'>

/** Writes a limit, as `writeSetting` does. */
export function writeLimit(
  store: Pick<Store, 'records'>,
  limit: Omit<LimitRecord, keyof StoredSetting>,
  change: Change,
): Promise<LimitRecord | undefined> {
  return writeSetting(store, limits, { id: limit.id, next: () => limit, ...change })
}

/** Deletes a limit of a version; whether it did. */
export function deleteLimit(
  store: Pick<Store, 'records'>,
  { id, version }: Pick<LimitRecord, 'id' | 'version'>,
): Promise<boolean> {
  return deleteSetting(store, limits, { id, version })
}

/** Deletes the record of a limit that is damaged; whether it did. */
export function deleteDamagedLimit(store: Pick<Store, 'records'>, id: string): Promise<boolean> {
  return deleteDamagedSetting(store, limits, id)
}

/** Writes what a limit is granted, in place of what it was granted before. */
export function writeExtra(
  store: Pick<Store, 'records'>,
  extra: Omit<ExtraRecord, keyof StoredSetting>,
  changedBy: string,
): Promise<ExtraRecord | undefined> {
  return writeSetting(store, extras, { id: extra.id, next: () => extra, changedBy })
}

/** Follows the limits of the store. */
export function followLimits(options: FollowOptions): Promise<FollowedSettings<LimitRecord>> {
  return followSettings(limits, options)
}

/** Follows what limits are granted. */
export function followExtras(options: FollowOptions): Promise<FollowedSettings<ExtraRecord>> {
  return followSettings(extras, options)
}
