import type { Snapshot } from '../contract/candidate.ts'
import type { ConfigurationInUse } from './in-use.ts'
import type { DescribedSetting } from './settings.ts'

/**
 * The settings that take effect, with those that the store adds or changes: accounts and aliases that
 * the configuration does not have, and accounts that an operator has enabled or disabled.
 */
export function settingsInUse(
  configuration: Pick<ConfigurationInUse, 'describe' | 'settings'>,
  snapshot: Snapshot,
): readonly DescribedSetting[] {
  const described = configuration.describe()
  const known = latest.get(snapshot)
  if (known?.described === described) return known.merged
  const merged = merge(configuration.settings, snapshot, described)
  latest.set(snapshot, { described, merged })
  return merged
}

/** What was found for a snapshot: a gateway may have 10,000 accounts, and an operation asks several times. */
const latest = new WeakMap<
  Snapshot,
  { readonly described: readonly DescribedSetting[]; readonly merged: readonly DescribedSetting[] }
>()

function merge(
  { accounts, aliases }: ConfigurationInUse['settings'],
  snapshot: Snapshot,
  settings: readonly DescribedSetting[],
): readonly DescribedSetting[] {
  const places = new Map(accounts.map(({ id, enabled }, index) => [id, { index, enabled }]))
  const switched = new Map<string, boolean>()
  const added: DescribedSetting[] = []
  for (const { id, provider, speaks, enabled } of snapshot.accounts) {
    const place = places.get(id)
    if (!place) {
      const shown = { provider, speaks, enabled }
      for (const [name, value] of Object.entries(shown)) {
        added.push({ path: `accounts.${id}.${name}`, value, origin: 'STORE' })
      }
    } else if (place.enabled !== enabled) switched.set(`accounts[${place.index}].enabled`, enabled)
  }
  for (const [name, model] of snapshot.aliases) {
    if (!Object.hasOwn(aliases, name))
      added.push({ path: `aliases.${name}`, value: model, origin: 'STORE' })
  }
  const described = settings.map((one) => {
    const value = switched.get(one.path)
    return value === undefined ? one : { ...one, value, origin: 'STORE' as const }
  })
  return [...described, ...added]
}
