import type { Forward, Paid } from '../contract/operation.ts'

/** How accounts are asked for what costs each time: in a way of its own. */
export function paidForward(paid: Paid, approach: NonNullable<Forward['approach']>): Forward {
  const never = () => {
    throw new Error('It is asked for in a way of its own.')
  }
  return { paid, approach, target: never, observer: never, outcome: never }
}
