import type { AliasSetting, AliasSettings } from '../contract/account.ts'
import type { Fallback, ResolvedModel } from '../contract/call.ts'

/** The settings of a model that its aliases have, as far as they have any. */
type ModelSettings = Omit<ResolvedModel, 'requested' | 'name'>

/** Aliases, ready for use. */
interface CompiledAliases {
  /** The model or alias that each alias names. Settings of a model under its own name are no alias. */
  readonly names: ReadonlyMap<string, string>
  /** See `Snapshot.countsCalls`. */
  readonly countsCalls: boolean
  /** The settings of the model that one of the aliases stands for; `undefined`: there are none. */
  settingsOf(name: string): ModelSettings | undefined
}

/** Compiles aliases. */
export function compileAliases(aliases: AliasSettings): CompiledAliases {
  const names = new Map<string, string>()
  let countsCalls = false
  for (const name of Object.keys(aliases)) {
    const next = nextName(aliases, name)
    if (next !== undefined) names.set(name, next)
    countsCalls ||= ownSettings(aliases, name)?.strategy === 'least-busy'
  }
  const known = new Map<string, ModelSettings | undefined>()
  return {
    names,
    countsCalls,
    settingsOf(name) {
      if (!known.has(name)) known.set(name, compileSettings(aliases, name))
      return known.get(name)
    },
  }
}

/** The name that an alias stands for; `undefined` for a name of no alias, at which the way ends. */
export function nextName(aliases: AliasSettings, name: string): string | undefined {
  const alias = Object.hasOwn(aliases, name) ? aliases[name] : undefined
  if (typeof alias !== 'object') return alias
  return alias.model === name ? undefined : alias.model
}

/** Follows aliases from a name. Returns all names on the way, that at its end last. */
export function namesFrom(aliases: AliasSettings, name: string): readonly string[] {
  const way = new Set<string>()
  let next: string | undefined = name
  while (next !== undefined && !way.has(next)) {
    way.add(next)
    next = nextName(aliases, next)
  }
  return [...way]
}

/** Each setting comes from the first alias on the way that has it. */
function compileSettings(aliases: AliasSettings, name: string): ModelSettings | undefined {
  const { fallbacks = [], ...own } = settingsFrom(aliases, name)
  const model = endOf(aliases, name)
  const compiled = fallbacks.flatMap(({ on, model: other }): Fallback[] => {
    const end = endOf(aliases, other)
    const { fallbacks: _, ...others } = settingsFrom(aliases, other)
    return end === model ? [] : [{ on, model: { name: end, ...others } }]
  })
  const all = { ...own, ...(compiled.length > 0 && { fallbacks: compiled }) }
  return Object.keys(all).length > 0 ? all : undefined
}

function endOf(aliases: AliasSettings, name: string): string {
  return namesFrom(aliases, name).at(-1)!
}

type Settings = Pick<ModelSettings, 'replyModel' | 'strategy'> & Pick<AliasSetting, 'fallbacks'>

function settingsFrom(aliases: AliasSettings, name: string): Settings {
  const found: { -readonly [K in keyof Settings]: Settings[K] } = {}
  for (const one of namesFrom(aliases, name)) {
    const { replyModel, strategy, fallbacks } = ownSettings(aliases, one) ?? {}
    if (replyModel) found.replyModel ??= replyModel
    if (strategy) found.strategy ??= strategy
    if (fallbacks) found.fallbacks ??= fallbacks
  }
  return found
}

function ownSettings(aliases: AliasSettings, name: string): AliasSetting | undefined {
  const alias = Object.hasOwn(aliases, name) ? aliases[name] : undefined
  return typeof alias === 'object' ? alias : undefined
}
