import type { TeamSetting } from '../contract/quota.ts'
import { listAll } from './list-all.ts'
import { isTexts } from './record-values.ts'
import type { Store } from './store.ts'
import {
  type FollowOptions,
  type FollowedSettings,
  type SettingChange,
  type SettingKind,
  type StoredSetting,
  deleteSetting,
  followSettings,
  writeSetting,
} from './stored-settings.ts'

/** A team as it is stored. */
export interface TeamRecord extends StoredSetting, Omit<TeamSetting, 'quotas'> {}

const kind: SettingKind<TeamRecord> = {
  namespace: 'teams',
  isReadable: ({ id, name, models }, key) =>
    id === key &&
    (name === undefined || typeof name === 'string') &&
    (models === undefined || isTexts(models)),
}

/** A change of a team: an absent member stays, a null one is removed. */
export interface TeamChange {
  readonly name?: string | null | undefined
  readonly models?: readonly string[] | null | undefined
}

/** Creates or changes a team, as `writeSetting` does. */
export function writeTeam(
  store: Pick<Store, 'records'>,
  id: string,
  change: TeamChange,
  by: Pick<SettingChange<TeamRecord>, 'changedBy' | 'expectedVersion' | 'mustExist'>,
): Promise<TeamRecord | undefined> {
  return writeSetting(store, kind, {
    id,
    ...by,
    next(known) {
      const name = change.name === undefined ? known?.name : change.name
      const models = change.models === undefined ? known?.models : change.models
      return { id, ...(name && { name }), ...(models && { models }) }
    },
  })
}

/** Deletes a team of a version; whether it did. */
export function deleteTeam(
  store: Pick<Store, 'records'>,
  id: string,
  version: number,
): Promise<boolean> {
  return deleteSetting(store, kind, { id, version })
}

/** The ids of all teams, damaged ones too, in their order. */
export async function listTeamIds(store: Pick<Store, 'records'>): Promise<string[]> {
  return (await listAll(store.records(kind.namespace, { listed: true }))).map(({ id }) => id)
}

/** Follows the teams of the store. */
export function followTeams(options: FollowOptions): Promise<FollowedSettings<TeamRecord>> {
  return followSettings(kind, options)
}
