import type { Forward } from '../dialect.ts'

/** How a job is ordered: in a way of its own, once, and never streamed. */
export function paidForward(approach: NonNullable<Forward['approach']>): Forward {
  const never = () => {
    throw new Error('A job is ordered in a way of its own.')
  }
  return { paid: true, approach, target: never, observer: never, outcome: never }
}
