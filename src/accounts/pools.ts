import type { Candidate } from '../contract/candidate.ts'
import type { DialectInfo } from '../contract/dialect-info.ts'
import { RecentMap } from '../lib/recent-map.ts'
import type { PoolKind } from './pool.ts'

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
export function kindsOf(others: readonly DialectInfo[]): (dialect: DialectInfo) => PoolKind {
  const kinds = new Map<DialectInfo, PoolKind>()
  return (dialect) => {
    let kind = kinds.get(dialect)
    if (!kind) kinds.set(dialect, (kind = { dialect, others }))
    return kind
  }
}
