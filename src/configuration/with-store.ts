import type { Snapshot } from '../contract/candidate.ts'
import { Turns } from '../lib/turns.ts'
import { describeStoredAccount } from './describe.ts'
import type { ConfigurationInUse } from './in-use.ts'
import { settingsAt } from './sections.ts'
import type { DescribedSetting } from './settings.ts'

/**
 * The settings that take effect, with those that the store adds or changes: accounts and aliases that
 * the configuration does not have, and accounts that an operator has enabled or disabled.
 */
export async function settingsInUse(
  configuration: Pick<ConfigurationInUse, 'describe' | 'settings'>,
  snapshot: Snapshot,
): Promise<readonly DescribedSetting[]> {
  const described = await configuration.describe()
  const known = latest.get(snapshot)
  if (known?.described === described) return known.merged
  const merged = merge(configuration.settings, snapshot, described)
  latest.set(snapshot, { described, merged })
  return merged
}

/** The settings at a path and below it. Empty: all. In turns of the event loop, as all of this file. */
export async function settingsBelow(
  configuration: Pick<ConfigurationInUse, 'describe' | 'settings'>,
  snapshot: Snapshot,
  section: string,
): Promise<readonly DescribedSetting[]> {
  return settingsAt(await settingsInUse(configuration, snapshot), section)
}

/** What was found for a snapshot: a gateway may have 10,000 accounts, and an operation asks several times. */
const latest = new WeakMap<
  Snapshot,
  {
    readonly described: readonly DescribedSetting[]
    readonly merged: Promise<readonly DescribedSetting[]>
  }
>()

async function merge(
  { accounts, aliases }: ConfigurationInUse['settings'],
  snapshot: Snapshot,
  settings: readonly DescribedSetting[],
): Promise<readonly DescribedSetting[]> {
  const turns = new Turns()
  const places = new Map(accounts.map(({ id, enabled }, index) => [id, { index, enabled }]))
  const switched = new Map<string, boolean>()
  const added: DescribedSetting[] = []
  for (const account of snapshot.accounts) {
    const { id, enabled } = account
    const place = places.get(id)
    if (!place) added.push(...describeStoredAccount(account))
    else if (place.enabled !== enabled) switched.set(`accounts[${place.index}].enabled`, enabled)
    if (turns.isOver) await turns.next()
  }
  for (const [name, model] of snapshot.aliases) {
    if (!Object.hasOwn(aliases, name))
      added.push({ path: `aliases.${name}`, value: model, origin: 'STORE' })
  }
  if (switched.size + added.length === 0) return settings
  const merged: DescribedSetting[] = []
  for (const one of settings) {
    const value = switched.get(one.path)
    merged.push(value === undefined ? one : { ...one, value, origin: 'STORE' })
    if (turns.isOver) await turns.next()
  }
  for (const one of added) merged.push(one)
  return merged
}
