import type { Exclusion } from '../contract/call.ts'
import type { Snapshot } from '../contract/candidate.ts'
import type { Ended } from '../contract/exchange.ts'
import { computedOnce } from '../lib/computed-once.ts'

/** The accounts that cannot serve a routed call, disabled ones at the end, each with the reason; at most `most`. */
export function exclusionsOf(exchange: Ended, most = Infinity): readonly Exclusion[] {
  const { routing } = exchange.progress
  if (!routing) return []
  const found = routing.excluded.slice(0, most)
  return [...found, ...disabledAccounts(exchange, most - found.length)]
}

/** Disabled accounts that would otherwise have been candidates. */
function disabledAccounts(exchange: Ended, most: number): Exclusion[] {
  const { snapshot, model, dialect, operation } = exchange
  const found: Exclusion[] = []
  if (!model?.name || !dialect || !operation) return found
  const isTranslated = operation.capability === 'generate' && dialect.generate !== undefined
  for (const { id, models, speaks } of disabledOf(snapshot)) {
    if (found.length >= most) break
    if (!isTranslated && !speaks.includes(dialect.id)) continue
    if (models.upstreamName(model.name) === undefined) continue
    found.push({ account: id, by: 'operator', reason: 'it is disabled' })
  }
  return found
}

/** There may be 10,000 accounts, and each sampled trace asks. */
const disabledOf = computedOnce((snapshot: Snapshot) =>
  snapshot.accounts.filter(({ enabled }) => !enabled),
)
