import type { Candidate, Snapshot } from '../contract/candidate.ts'
import type { Understood } from '../contract/exchange.ts'
import { computedOnce } from '../lib/computed-once.ts'
import { inOrder } from './pool.ts'

/** The candidates of a call that only some accounts may serve: see `Call.among`. */
export function namedPoolOf(
  { snapshot, dialect }: Pick<Understood, 'snapshot' | 'dialect'>,
  among: readonly string[],
): readonly Candidate[] {
  return namedPools(snapshot)(among)(dialect.id)
}

/** The pools of lists of accounts, by the dialect of the client. */
const namedPools = computedOnce((snapshot: Snapshot) =>
  computedOnce((ids: readonly string[]) => {
    const pools = new Map<string, readonly Candidate[]>()
    return (dialect: string) => {
      let pool = pools.get(dialect)
      if (!pool) pools.set(dialect, (pool = namedPool(ids, dialect, snapshot)))
      return pool
    }
  }),
)

/** Enabled accounts, each in the dialect of the client if the account speaks it, else in its first one. */
function namedPool(
  ids: readonly string[],
  dialect: string,
  snapshot: Snapshot,
): readonly Candidate[] {
  const found = ids.flatMap((id) => {
    const { speaks = [] } = snapshot.accounts.find((one) => one.id === id) ?? {}
    const spoken = speaks.includes(dialect) ? dialect : (speaks[0] ?? '')
    const candidate = snapshot.findCandidate(id, spoken)
    return candidate ? [{ ...candidate, native: true, upstreamModel: '' }] : []
  })
  return found.sort(inOrder)
}
