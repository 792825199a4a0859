import type { Candidate } from '../contract/candidate.ts'
import { inOrder } from '../accounts/pool.ts'
import { computedOnce } from '../lib/computed-once.ts'
import type { Comparison } from './strategies.ts'

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

/**
 * Candidates that are taken one after another: lowest rank, native, lowest priority; then by the strategy of the model,
 * if it has one; then random by weight.
 */
export class CandidateQueue {
  #left: Ranked[]
  #searches = 0
  readonly #comparison: Comparison | undefined

  constructor(candidates: readonly Ranked[], comparison?: Comparison) {
    this.#left = [...candidates]
    this.#comparison = comparison
  }

  /** The candidates that have not been taken, in no order. */
  get left(): readonly Ranked[] {
    return this.#left
  }

  /** Takes the best one; `undefined` if none is left. */
  take(): Ranked | undefined {
    if (this.#searches < mostSearches) {
      this.#searches++
      return takeBest(this.#left, this.#comparison)
    }
    if (this.#searches === mostSearches) {
      this.#searches++
      this.#left = lastFirst(this.#left, this.#comparison)
    }
    return this.#left.pop()
  }
}

/** Removes the best one. Makes no lists of its own: most calls have a few candidates. */
function takeBest(ranked: Ranked[], comparison: Comparison | undefined): Ranked | undefined {
  if (comparison) return takeMeasured(ranked, comparison)
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

/** Does the same with the strategy of a model. */
function takeMeasured(ranked: Ranked[], comparison: Comparison): Ranked | undefined {
  const best = bestBy(ranked, comparison)
  const chosen = best[pickByWeight(best.map(weightOf))]
  if (chosen) ranked.splice(ranked.indexOf(chosen), 1)
  return chosen
}

/** The best candidates, among which weights decide. */
function bestBy(ranked: readonly Ranked[], comparison: Comparison | undefined): readonly Ranked[] {
  let first: Ranked[] = []
  for (const one of ranked) {
    const order = first[0] ? compare(one, first[0]) : 0
    if (order < 0) first = [one]
    else if (order === 0) first.push(one)
  }
  if (!comparison) return first
  const measured = first.map(({ candidate }) => comparison.of(candidate))
  const least = measured.reduce((one, other) => Math.min(one, other), Infinity)
  return first.filter((_, index) => comparison.isBest(measured[index]!, least))
}

/**
 * The order in which they are taken, backwards. The times at which independent events with these rates occur first
 * have the order of repeated draws by weight (Efraimidis and Spirakis, "Weighted random sampling with a reservoir").
 */
function lastFirst(ranked: readonly Ranked[], comparison: Comparison | undefined): Ranked[] {
  const timed = ranked.map((one) => ({
    one,
    measured: comparison?.of(one.candidate) ?? 0,
    time: -Math.log(1 - Math.random()) / weightOf(one),
  }))
  timed.sort(
    (left, right) =>
      compare(right.one, left.one) ||
      // Two that are unknown have no difference.
      (right.measured === left.measured ? 0 : right.measured - left.measured) ||
      right.time - left.time,
  )
  return timed.map(({ one }) => one)
}

/** A candidate, and the probability that it is taken first. */
export interface Chance extends Omit<Ranked, 'place'> {
  /** From 0 to 1. */
  readonly chance: number
}

/**
 * The likeliest first. Candidates of equal rank that the strategy of the model finds equal share by weight; candidates
 * of equal weight keep the pool's order.
 */
export function chancesOf(ranked: readonly Ranked[], comparison?: Comparison): Chance[] {
  const best = new Set(bestBy(ranked, comparison))
  const sorted = ranked.toSorted(
    (one, other) =>
      compare(one, other) ||
      Number(best.has(other)) - Number(best.has(one)) ||
      weightOf(other) - weightOf(one) ||
      one.place - other.place,
  )
  const total = [...best].reduce((sum, one) => sum + weightOf(one), 0)
  return sorted.map((one) => {
    const { candidate, rank, why } = one
    return { candidate, rank, why, chance: best.has(one) ? weightOf(one) / total : 0 }
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
