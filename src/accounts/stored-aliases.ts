import type { AliasSettings } from '../contract/account.ts'
import { nextName } from './alias-settings.ts'

/**
 * The aliases of the configuration, and the store's aliases of other names. Stored aliases of a circle
 * are left out: a change of the configuration may close one that the store alone does not have.
 */
export function mergeAliases(configured: AliasSettings, stored: AliasSettings): AliasSettings {
  const merged = { ...stored, ...configured }
  const isStored = (name: string) => !Object.hasOwn(configured, name)
  /** Names whose way to a model is known to end. */
  const ending = new Set<string>()
  for (const start of Object.keys(stored)) {
    const way = new Set<string>()
    let name: string | undefined = start
    while (name !== undefined && !ending.has(name) && !way.has(name)) {
      way.add(name)
      name = nextName(merged, name)
    }
    const isCircle = name !== undefined && way.has(name)
    const circle = isCircle ? [...way].slice([...way].indexOf(name!)) : []
    for (const one of circle.filter(isStored)) delete merged[one]
    for (const one of way) ending.add(one)
  }
  return merged
}
