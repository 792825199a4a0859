import type { AliasSettings } from '../contract/account.ts'
import type { Snapshot } from '../contract/candidate.ts'
import { describeStoredAccount } from './describe.ts'
import type { ConfigurationInUse } from './in-use.ts'
import { settingsAt } from './sections.ts'
import type { DescribedSetting } from './settings.ts'
import { computedOnce } from '../lib/computed-once.ts'

/**
 * The settings at a path and below it (empty: all) that take effect, with those that the store adds or changes:
 * accounts and aliases that the configuration does not have, and accounts that an operator has enabled or disabled.
 */
export async function settingsBelow(
  configuration: Pick<ConfigurationInUse, 'describe' | 'settings'>,
  snapshot: Snapshot,
  section: string,
): Promise<readonly DescribedSetting[]> {
  const described = await configuration.describe()
  const changes = changesBeside(configuration.settings)(snapshot)
  // The sections of the configuration's settings are known from before they took effect; the store adds few.
  const own = settingsAt(described, section)
  const more = settingsAt(changes.added, section)
  if (changes.switched.size + more.length === 0) return own
  const known = merges.get(own)
  if (known?.changes === changes) return known.merged
  const merged = merge(own, more, changes.switched)
  merges.set(own, { changes, merged })
  return merged
}

/** The last result for each list of settings: a merge visits all settings, which ten thousand accounts may have. */
const merges = new WeakMap<
  readonly DescribedSetting[],
  { readonly changes: StoreChanges; readonly merged: readonly DescribedSetting[] }
>()

function merge(
  own: readonly DescribedSetting[],
  more: readonly DescribedSetting[],
  switched: StoreChanges['switched'],
): readonly DescribedSetting[] {
  const merged: DescribedSetting[] = []
  for (const one of own) {
    const value = switched.get(one.path)
    merged.push(value === undefined ? one : { ...one, value, origin: 'STORE' })
  }
  for (const one of more) merged.push(one)
  return merged
}

/** The settings that the store adds to a configuration, and the accounts that it switches on or off. */
interface StoreChanges {
  /** By paths: whether the account is enabled. */
  readonly switched: ReadonlyMap<string, boolean>
  readonly added: readonly DescribedSetting[]
}

/** The settings found for a snapshot: a gateway may have 10,000 accounts, and an operation asks several times. */
const changesBeside = computedOnce((settings: ConfigurationInUse['settings']) =>
  computedOnce((snapshot: Snapshot) => findChanges(settings, snapshot)),
)

function findChanges(
  { accounts, aliases }: ConfigurationInUse['settings'],
  snapshot: Snapshot,
): StoreChanges {
  const places = new Map(accounts.map(({ id, enabled }, index) => [id, { index, enabled }]))
  const switched = new Map<string, boolean>()
  const added: DescribedSetting[] = []
  for (const account of snapshot.accounts) {
    const { id, enabled } = account
    const place = places.get(id)
    if (!place) added.push(...describeStoredAccount(account))
    else if (place.enabled !== enabled) switched.set(`accounts[${place.index}].enabled`, enabled)
  }
  for (const [name, alias] of Object.entries(snapshot.aliasSettings)) {
    if (!Object.hasOwn(aliases, name))
      added.push({ path: `aliases.${name}`, value: shownAlias(alias), origin: 'STORE' })
  }
  return { switched, added }
}

/** An alias as a configuration has it. */
function shownAlias(alias: AliasSettings[string]): AliasSettings[string] {
  if (typeof alias === 'string') return alias
  return Object.keys(alias).length === 1 ? alias.model : alias
}
