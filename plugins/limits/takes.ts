import type { Understood } from '../../src/contract/exchange.ts'
import type { Limit } from '../../src/contract/quota.ts'
import type { Estimate } from '../../src/limits/estimate.ts'
import type { LimitSet, SubjectLimits } from '../../src/limits/limit-set.ts'
import { meterLimitOf } from '../../src/limits/meter-limit.ts'
import type { Take } from './call-meter.ts'

/** The takes of a call of one subject. */
export interface Wanted {
  /** Its name in the meter. */
  readonly subject: string
  readonly takes: readonly Take[]
}

type Amounts = Pick<LimitSet, 'amountOf'>

/** The order in which the limits of a subject are asked: the first that refuses is the one that the client sees. */
const order: Readonly<Record<Limit['kind'], number>> = {
  concurrent: 0,
  requests: 1,
  tokens: 2,
  inputTokens: 2,
  outputTokens: 2,
  cost: 3,
}

/**
 * What a call takes before its body is read: of each limit that concerns all models and users the least amount, so
 * that a spent one refuses it.
 */
export function earlyTakes(all: readonly SubjectLimits[], amounts: Amounts, now: number): Wanted[] {
  return all.flatMap(({ name, limits }) => {
    const takes = inOrder(limits)
      .filter(({ models, per }) => !models && !per)
      .map((limit): Take => {
        const meter = meterLimitOf(limit, now, amounts)
        return { limit, meter, amount: 1, floor: limit.kind === 'requests' ? 1 : 0 }
      })
    return takes.length === 0 ? [] : [{ subject: name, takes }]
  })
}

/** What a call takes once its model is known. */
export function callTakes(
  { model }: Pick<Understood, 'model'>,
  all: readonly SubjectLimits[],
  {
    amounts,
    now,
    taken,
    estimate,
    endUser,
  }: {
    readonly amounts: Amounts
    readonly now: number
    /** What it has taken of limits already. */
    readonly taken: ReadonlyMap<Limit, number>
    readonly estimate: () => Estimate
    /** The name of the end user's part of a subject. */
    readonly endUser: (subject: string) => string
  },
): Wanted[] {
  return all.flatMap(({ name, limits }) => {
    const applying = limits.filter((limit) => limit.appliesTo(model.name))
    return [false, true].flatMap((isPerUser) => {
      const some = applying.filter(({ per }) => (per !== undefined) === isPerUser)
      const takes = takesOf(some, estimate, amounts, now, taken)
      if (takes.length === 0) return []
      return [{ subject: isPerUser ? endUser(name) : name, takes }]
    })
  })
}

/** What a call takes of limits that apply to it, besides what it has `taken`. */
export function takesOf(
  limits: readonly Limit[],
  estimate: () => Estimate,
  amounts: Amounts,
  now: number,
  taken?: ReadonlyMap<Limit, number>,
): Take[] {
  return inOrder(limits).flatMap((limit): Take[] => {
    const { amount, floor } = amountsOf(limit, estimate)
    const rest = amount - (taken?.get(limit) ?? 0)
    return rest > 0
      ? [{ limit, meter: meterLimitOf(limit, now, amounts), amount: rest, floor }]
      : []
  })
}

function inOrder(limits: readonly Limit[]): readonly Limit[] {
  return limits.length < 2
    ? limits
    : limits.toSorted((one, other) => order[one.kind] - order[other.kind])
}

/** At least 1, so that a spent limit refuses every call that it counts. */
function amountsOf(
  { kind, strict }: Limit,
  estimate: () => Estimate,
): { readonly amount: number; readonly floor: number } {
  if (kind === 'concurrent') return { amount: 1, floor: 0 }
  if (kind === 'requests') return { amount: 1, floor: 1 }
  const estimated = estimate()
  const { inputTokens, inputCost = 0 } = estimated
  // A strict limit is never exceeded, so that it takes all that the request permits.
  const { outputTokens, cost = 0 } = strict ? estimated.most : estimated
  switch (kind) {
    case 'inputTokens':
      return { amount: Math.max(1, inputTokens), floor: inputTokens }
    case 'outputTokens':
      return { amount: Math.max(1, outputTokens), floor: 0 }
    case 'tokens':
      return { amount: Math.max(1, inputTokens + outputTokens), floor: inputTokens }
    case 'cost':
      return { amount: Math.max(1, cost), floor: inputCost }
  }
}
