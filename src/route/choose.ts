import type { Candidate } from '../contract/candidate.ts'
import { inOrder } from '../accounts/pool.ts'

/** A candidate that nobody has excluded. */
export interface Ranked {
  readonly candidate: Candidate
  /** Lower is preferred. */
  readonly rank: number
  /** The rule behind a preference. */
  readonly why: string | undefined
}

/** Takes one of the best out of the list: lowest rank, native, lowest priority, then by weight. */
export function takeNext(ranked: Ranked[]): Ranked | undefined {
  if (ranked.length < 2) return ranked.pop()
  const best = ranked.reduce<Ranked | undefined>(
    (first, one) => (!first || compare(one, first) < 0 ? one : first),
    undefined,
  )
  if (!best) return undefined
  const equals = ranked.filter((one) => compare(one, best) === 0)
  const chosen = equals[pickByWeight(equals.map(({ candidate }) => candidate.account.weight))]
  if (chosen) ranked.splice(ranked.indexOf(chosen), 1)
  return chosen
}

/** One of the best of a pool of which nobody has said anything: nearly every call's. */
export function chooseFirst(pool: readonly Candidate[]): Candidate | undefined {
  return pool.length < 2 ? pool[0] : pool[pickByWeight(indexOf(pool).weights)]
}

/** The candidate of a pool whose account is called so. */
export function findOwner(pool: readonly Candidate[], account: string): Candidate | undefined {
  return indexOf(pool).owners.get(account)
}

/**
 * What a pool is asked over and over, so that only the account that serves the call is looked at,
 * however many there are.
 */
interface PoolIndex {
  /** Of those at the front of the pool, which is in order. */
  readonly weights: readonly number[]
  readonly owners: ReadonlyMap<string, Candidate>
}

/** A pool lives as long as its configuration. */
const indexes = new WeakMap<readonly Candidate[], PoolIndex>()

function indexOf(pool: readonly Candidate[]): PoolIndex {
  let index = indexes.get(pool)
  if (!index) {
    index = {
      weights: bestOf(pool).map(({ account }) => account.weight),
      owners: new Map(pool.map((candidate) => [candidate.account.id, candidate])),
    }
    indexes.set(pool, index)
  }
  return index
}

function bestOf(pool: readonly Candidate[]): readonly Candidate[] {
  const [best] = pool
  return best ? pool.filter((one) => inOrder(one, best) === 0) : []
}

function compare(left: Ranked, right: Ranked): number {
  return left.rank - right.rank || inOrder(left.candidate, right.candidate)
}

/** An index, as often as its weight says. */
function pickByWeight(weights: readonly number[]): number {
  let total = 0
  for (const weight of weights) total += weight
  let point = Math.random() * total
  for (let index = 0; index < weights.length; index++) {
    point -= weights[index] as number
    if (point < 0) return index
  }
  return weights.length - 1
}
