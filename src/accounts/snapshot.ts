import type { Account, AliasSettings } from '../contract/account.ts'
import type { Candidate, Snapshot, TranslatedCapability } from '../contract/candidate.ts'
import {
  type ConvertedCapability,
  convertedCapabilities,
  isConverted,
} from '../contract/conversion.ts'
import { hasAccounts } from '../contract/dialect.ts'
import type { AccountDialect, DialectInfo } from '../contract/dialect-info.ts'
import { type Work, run } from '../lib/turns.ts'
import { compileAliases } from './alias-settings.ts'
import { indexNames } from './name-index.ts'
import { type PoolKind, candidateOf, compilePool } from './pool.ts'
import { RecentMap } from '../lib/recent-map.ts'

/** Clients choose the names of models, so the caches by name are bounded. */
const cachedNames = 10_000

/** Compiles accounts, aliases and dialects into a snapshot. */
export function createSnapshot(
  accounts: readonly Account[],
  aliases: AliasSettings = {},
  dialects: readonly (AccountDialect | DialectInfo)[] = [],
): Snapshot {
  return run(snapshotSteps(accounts, aliases, dialects))
}

/** Does the same in steps. `previous` has most of the names as a rule, in their order. */
export function* snapshotSteps(
  accounts: readonly Account[],
  aliases: AliasSettings,
  dialects: readonly (AccountDialect | DialectInfo)[],
  previous?: Snapshot,
): Work<Snapshot> {
  const enabled = accounts.filter((account) => account.enabled)
  const disabled = accounts.filter((account) => !account.enabled)
  const { names: aliasMap, countsCalls, settingsOf } = compileAliases(aliases)
  const has = lazily(() => remember(indexNames(accounts)))
  const serves = lazily(() => remember(indexNames(enabled)))
  const speaking = (some: readonly AccountDialect[]) => {
    const ids = new Set(some.map(({ id }) => id))
    return lazily(() =>
      remember(indexNames(enabled.filter(({ speaks }) => speaks.some((id) => ids.has(id))))),
    )
  }
  const spoken = dialects.filter(hasAccounts)
  const translatable = spoken.filter(({ generate }) => generate && generate.clientsOnly !== true)
  const countable = spoken.filter((dialect) => dialect.generate?.counting)
  const withVideo = spoken.filter((dialect) => dialect.video)
  const converting = (capability: ConvertedCapability) =>
    spoken.filter(({ converts }) => converts?.[capability]?.encode)
  const able: Record<TranslatedCapability, (model: string) => boolean> = {
    generate: speaking(translatable),
    'count-tokens': speaking(countable),
    video: speaking(withVideo),
    ...ofConverted((capability) => speaking(converting(capability))),
  }
  const native = kindsOf([])
  const videos = kindsOf(withVideo)
  const generating = kindsOf(translatable)
  const counting = kindsOf(countable)
  const converted = ofConverted((capability) => kindsOf(converting(capability)))
  const poolOf = rememberPools((name, kind: PoolKind) => compilePool(enabled, name, kind))
  const modelNames = yield* listNames(enabled, {
    aliases: aliasMap,
    has: serves,
    sorted: previous?.modelNames ?? [],
  })

  /** The kind has the dialects that the capability can be translated to. */
  function kindOf(dialect: DialectInfo, capability: string): PoolKind {
    if (capability === 'generate' && dialect.generate) return generating(dialect)
    if (capability === 'count-tokens' && dialect.generate?.counting) return counting(dialect)
    if (capability === 'video' && dialect.video) return videos(dialect)
    if (isConverted(capability) && dialect.converts?.[capability]?.decodeRequest)
      return converted[capability](dialect)
    return native(dialect)
  }

  return {
    createdAt: new Date(),
    isComplete: () => true,
    accounts,
    aliases: aliasMap,
    aliasSettings: aliases,
    countsCalls,
    modelNames,
    resolve(requested) {
      const name = platformModel(requested, aliasMap)
      if (!has(name)) return undefined
      const settings = Object.hasOwn(aliases, requested) ? settingsOf(requested) : undefined
      return settings ? { requested, name, ...settings } : { requested, name }
    },
    serves,
    can: (model, capability) => able[capability](model),
    platformName: (name) => platformModel(name, aliasMap),
    pool: (model, dialect, capability) => poolOf(model, kindOf(dialect, capability)),
    findCandidate(id, name) {
      const account = enabled.find((one) => one.id === id && one.speaks.includes(name))
      const dialect = spoken.find((one) => one.id === name)
      return account && dialect && { account, dialect }
    },
    isDisabled(model, dialect, capability) {
      const kind = kindOf(dialect, capability)
      return disabled.some((account) => candidateOf(account, model, kind) !== undefined)
    },
  }
}

function ofConverted<V>(make: (capability: ConvertedCapability) => V) {
  const entries = convertedCapabilities.map((one) => [one, make(one)] as const)
  return Object.fromEntries(entries) as Record<ConvertedCapability, V>
}

/** An alias may name another alias. The configuration rejects circles. */
function platformModel(name: string, aliases: ReadonlyMap<string, string>): string {
  let model = name
  for (let steps = 0; steps <= aliases.size; steps++) {
    const next = aliases.get(model)
    if (next === undefined) break
    model = next
  }
  return model
}

function* listNames(
  accounts: readonly Account[],
  {
    aliases,
    has,
    sorted,
  }: {
    readonly aliases: ReadonlyMap<string, string>
    readonly has: (model: string) => boolean
    readonly sorted: readonly string[]
  },
): Work<readonly string[]> {
  const names = new Set<string>()
  for (const { models } of accounts) {
    for (const name of models.names) names.add(name)
    yield
  }
  for (const alias of aliases.keys()) {
    if (has(platformModel(alias, aliases))) names.add(alias)
    yield
  }
  const kept: string[] = []
  for (const name of sorted) {
    if (names.delete(name)) kept.push(name)
    yield
  }
  return merge(kept, [...names].sort())
}

/** Merges sorted lists: to sort ten thousand names at each change of an account would take too long. */
function merge(one: readonly string[], other: readonly string[]): readonly string[] {
  if (other.length === 0) return one
  const merged: string[] = []
  let next = 0
  for (const name of one) {
    while (next < other.length && other[next]! < name) merged.push(other[next++]!)
    merged.push(name)
  }
  for (; next < other.length; next++) merged.push(other[next]!)
  return merged
}

/** Creates a function when it is called for the first time. */
function lazily<V>(create: () => (name: string) => V): (name: string) => V {
  let created: ((name: string) => V) | undefined
  return (name) => (created ??= create())(name)
}

function remember<V>(compute: (name: string) => V): (name: string) => V {
  const known = new Map<string, V>()
  return (name) => {
    const value = known.get(name)
    if (value !== undefined) return value
    if (known.size >= cachedNames) known.clear()
    const computed = compute(name)
    known.set(name, computed)
    return computed
  }
}

/**
 * The candidates that all known pools may have together, of 100 bytes and more each. Clients choose the names
 * of models, and each of ten thousand accounts may have a pattern that matches them all.
 */
const mostCandidates = 500_000

/** The weight of a name besides its candidates and its characters. */
const nameWeight = 16
const charactersPerUnit = 64

type Pool = readonly Candidate[]

/**
 * Remembers the pools asked for last. `compile` makes the pool of a name for a kind. There are few kinds, and
 * the pools of the empty name stay.
 */
export function rememberPools<Kind extends object>(
  compile: (name: string, kind: Kind) => Pool,
): (name: string, kind: Kind) => Pool {
  const known = new RecentMap<ReadonlyMap<Kind, Pool>>(mostCandidates, weigh)
  const ofAnyModel = new Map<Kind, Pool>()
  return (name, kind) => {
    const pools = name === '' ? ofAnyModel : known.get(name)
    const before = pools?.get(kind)
    if (before) return before
    const pool = compile(name, kind)
    if (name === '') ofAnyModel.set(kind, pool)
    else known.set(name, new Map([...(pools ?? []), [kind, pool]]))
    return pool
  }
}

function weigh(pools: ReadonlyMap<unknown, Pool>, name: string): number {
  let weight = nameWeight + name.length / charactersPerUnit
  for (const { length } of pools.values()) weight += length
  return weight
}

/** The kind of calls of each dialect that can be translated to these. Always the same object. */
function kindsOf(others: readonly AccountDialect[]): (dialect: DialectInfo) => PoolKind {
  const kinds = new Map<DialectInfo, PoolKind>()
  return (dialect) => {
    let kind = kinds.get(dialect)
    if (!kind) kinds.set(dialect, (kind = { dialect, others }))
    return kind
  }
}
