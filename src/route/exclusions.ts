import type { Exclusion } from '../contract/call.ts'
import type { Ended } from '../contract/exchange.ts'

/** The accounts that cannot serve a routed call, disabled ones included, each with the reason. */
export function exclusionsOf(exchange: Ended): readonly Exclusion[] {
  const { routing } = exchange.progress
  return routing ? [...routing.excluded, ...disabledAccounts(exchange)] : []
}

/** Disabled accounts that would otherwise have been candidates. */
function disabledAccounts({ snapshot, model, dialect, operation }: Ended): Exclusion[] {
  if (!model?.name || !dialect || !operation) return []
  const isTranslated = operation.capability === 'generate' && dialect.generate !== undefined
  return snapshot.accounts
    .filter(({ enabled }) => !enabled)
    .filter(({ models }) => models.upstreamName(model.name) !== undefined)
    .filter(({ speaks }) => isTranslated || speaks.includes(dialect.id))
    .map(({ id }) => ({ account: id, by: 'operator', reason: 'it is disabled' }))
}
