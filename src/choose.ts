import type { Candidate } from './accounts/account.ts'
import { inOrder } from './accounts/pool.ts'

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
  const chosen = chooseByWeight(equals)
  ranked.splice(ranked.indexOf(chosen), 1)
  return chosen
}

function compare(left: Ranked, right: Ranked): number {
  return left.rank - right.rank || inOrder(left.candidate, right.candidate)
}

function chooseByWeight(ranked: readonly Ranked[]): Ranked {
  const total = ranked.reduce((sum, one) => sum + one.candidate.account.weight, 0)
  let point = Math.random() * total
  for (const one of ranked) {
    point -= one.candidate.account.weight
    if (point < 0) return one
  }
  return ranked.at(-1) as Ranked
}
