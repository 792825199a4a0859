import type { Candidate } from '../contract/candidate.ts'
import type { DialectInfo } from '../contract/dialect-info.ts'
import { RecentMap } from '../lib/recent-map.ts'
import type { PoolKind } from './pool.ts'

/**
 * What all known pools may count together: each candidate one, which takes about 100 bytes. Clients choose the names
 * of models, and each of ten thousand accounts may have a pattern that matches them all.
 */
const mostCandidates = 500_000

/** What a name counts besides its candidates. */
const nameWeight = 16

type PoolsOfName = ReadonlyMap<PoolKind, readonly Candidate[]>

/** Remembers the pools asked for last. `compile`: that of a model, for calls of a kind. */
export function rememberPools(
  compile: (model: string, kind: PoolKind) => readonly Candidate[],
): (model: string, kind: PoolKind) => readonly Candidate[] {
  const known = new RecentMap<PoolsOfName>(mostCandidates, weigh)
  return (model, kind) => {
    const pools = known.get(model)
    const before = pools?.get(kind)
    if (before) return before
    const pool = compile(model, kind)
    known.set(model, new Map([...(pools ?? []), [kind, pool]]))
    return pool
  }
}

function weigh(pools: PoolsOfName): number {
  let weight = nameWeight
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
