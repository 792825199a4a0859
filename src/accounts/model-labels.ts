import { compilePatterns } from './patterns.ts'
import type { Snapshot } from '../contract/candidate.ts'
import { withoutVersion } from '../kit/model-version.ts'
import { RecentMap } from '../lib/recent-map.ts'

/** The label of a name that no bounded set has. */
export const other = '_other'

/**
 * The labels of models. Clients choose names of models, and a pattern of an account takes any of them: so a
 * label is a name only if the configuration has it, otherwise the pattern that takes the name.
 */
export interface ModelLabels {
  /** The label of a platform model. `''`: the call names no model. */
  requested(name: string): string
  /** The label of the model that an account names in its reply. */
  reported(name: string | undefined): string
}

/** Names that clients made up are looked up again and again; most of them only once. */
const remembered = 1_000

/** In characters. */
const longestRemembered = 256

/** The labels for the accounts of a snapshot. `extra`: further names that are labels as they are. */
export function createModelLabels(
  { accounts }: Pick<Snapshot, 'accounts'>,
  extra: readonly string[],
): ModelLabels {
  /** Each name as the configuration has it: the text of a client may keep its whole request in memory. */
  const names = new Map(extra.map((name) => [name, name]))
  const add = (name: string) => void names.set(name, name)
  const patterns = new Map<string, (name: string) => boolean>()
  for (const { models } of accounts) {
    for (const name of models.names) {
      add(name)
      add(models.upstreamName(name) ?? name)
    }
    for (const pattern of models.patterns ?? []) {
      if (pattern.includes('*') && !patterns.has(pattern))
        patterns.set(pattern, compilePatterns([pattern]))
    }
  }
  const known = new RecentMap<string>(remembered)

  // The longest pattern says most of a name.
  const inOrder = [...patterns].sort(([one], [another]) => another.length - one.length)

  function patternOf(name: string): string {
    for (const [pattern, matches] of inOrder) if (matches(name)) return pattern
    return other
  }

  function requested(name: string): string {
    if (name === '') return name
    const label = names.get(name) ?? known.get(name)
    if (label !== undefined) return label
    const pattern = patternOf(name)
    if (name.length <= longestRemembered) known.set(Buffer.from(name).toString(), pattern)
    return pattern
  }

  return {
    requested,
    reported(name = '') {
      if (name === '' || names.has(name)) return name
      const model = withoutVersion(name)
      return names.has(model) ? model : requested(name)
    },
  }
}
