import type { Candidate } from '../contract/candidate.ts'
import { inOrder } from '../accounts/pool.ts'
import { computedOnce } from '../lib/computed-once.ts'

/** A candidate that no verdict excludes. */
export interface Ranked {
  readonly candidate: Candidate
  /** The candidate's index in the pool. */
  readonly place: number
  /** Lower comes first. */
  readonly rank: number
  /** The rule behind a preference. */
  readonly why: string | undefined
}

/** To search for the best of a few takes less time than to order all; of many it would take seconds. */
const mostSearches = 16

/** Candidates that are taken one after another: lowest rank, native, lowest priority; then random by weight. */
export class CandidateQueue {
  #left: Ranked[]
  #searches = 0

  constructor(candidates: readonly Ranked[]) {
    this.#left = [...candidates]
  }

  /** The candidates that have not been taken, in no order. */
  get left(): readonly Ranked[] {
    return this.#left
  }

  /** Takes the best one; `undefined` if none is left. */
  take(): Ranked | undefined {
    if (this.#searches < mostSearches) {
      this.#searches++
      return takeBest(this.#left)
    }
    if (this.#searches === mostSearches) {
      this.#searches++
      this.#left = lastFirst(this.#left)
    }
    return this.#left.pop()
  }
}

/** Removes the best one. Makes no lists of its own: most calls have a few candidates. */
function takeBest(ranked: Ranked[]): Ranked | undefined {
  let [best] = ranked
  let total = 0
  for (const one of ranked) {
    const order = compare(one, best!)
    if (order > 0) continue
    if (order < 0) [best, total] = [one, 0]
    total += weightOf(one)
  }
  let point = Math.random() * total
  let index = -1
  for (let next = 0; next < ranked.length && point >= 0; next++) {
    if (compare(ranked[next]!, best!) !== 0) continue
    index = next
    point -= weightOf(ranked[next]!)
  }
  return index < 0 ? undefined : ranked.splice(index, 1)[0]
}

/**
 * The order in which they are taken, backwards. The times at which independent events with these rates occur first
 * have the order of repeated draws by weight (Efraimidis and Spirakis, "Weighted random sampling with a reservoir").
 */
function lastFirst(ranked: readonly Ranked[]): Ranked[] {
  const timed = ranked.map((one) => ({ one, time: -Math.log(1 - Math.random()) / weightOf(one) }))
  timed.sort((left, right) => compare(right.one, left.one) || right.time - left.time)
  return timed.map(({ one }) => one)
}

/** A candidate, and the probability that it is taken first. */
export interface Chance extends Omit<Ranked, 'place'> {
  /** From 0 to 1. */
  readonly chance: number
}

/** The likeliest first. Candidates of equal rank share by weight; candidates of equal weight keep the pool's order. */
export function chancesOf(ranked: readonly Ranked[]): Chance[] {
  const sorted = ranked.toSorted(
    (one, other) =>
      compare(one, other) || weightOf(other) - weightOf(one) || one.place - other.place,
  )
  const [best] = sorted
  const isBest = (one: Ranked) => best !== undefined && compare(one, best) === 0
  const total = sorted.reduce((sum, one) => sum + (isBest(one) ? weightOf(one) : 0), 0)
  return sorted.map((one) => {
    const { candidate, rank, why } = one
    return { candidate, rank, why, chance: isBest(one) ? weightOf(one) / total : 0 }
  })
}

function weightOf({ candidate }: Ranked): number {
  return candidate.account.weight
}

/** Chooses the best candidate of a pool without verdicts, which is the usual case. */
export function chooseFirst(pool: readonly Candidate[]): Candidate | undefined {
  return pool.length < 2 ? pool[0] : pool[pickByWeight(indexOf(pool).weights)]
}

/** The candidate of a pool with the given account id. */
export function findOwner(pool: readonly Candidate[], account: string): Candidate | undefined {
  return indexOf(pool).owners.get(account)
}

/** Precomputed facts of a pool, so that the cost of a call does not depend on the number of accounts. */
interface PoolIndex {
  /** The weights of the best candidates, which are at the front of the pool. */
  readonly weights: readonly number[]
  readonly owners: ReadonlyMap<string, Candidate>
}

/** A pool exists as long as its snapshot. */
const indexOf = computedOnce((pool: readonly Candidate[]): PoolIndex => ({
  weights: bestOf(pool).map(({ account }) => account.weight),
  owners: new Map(pool.map((candidate) => [candidate.account.id, candidate])),
}))

function bestOf(pool: readonly Candidate[]): readonly Candidate[] {
  const [best] = pool
  return best ? pool.filter((one) => inOrder(one, best) === 0) : []
}

function compare(left: Ranked, right: Ranked): number {
  return left.rank - right.rank || inOrder(left.candidate, right.candidate)
}

/** A random index, with a probability proportional to its weight. */
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
