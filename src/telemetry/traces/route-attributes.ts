import type { Attributes } from '@opentelemetry/api'

import type { Ended } from '../../contract/exchange.ts'
import { noRule } from '../../route/ranking.ts'
import { bindingResultOf, jobResultOf } from '../metrics/events.ts'
import { spanText } from './names.ts'

/** The attributes of the choice of an account. */
export function routeAttributes(exchange: Ended): Attributes {
  const { model, snapshot, dialect, operation, progress } = exchange
  const { routing, attempt, former } = progress
  // A later attempt is a failover, of which the call has an event.
  const first = former[0] ?? attempt
  // It failed before a look-up could be made.
  const binding =
    bindingResultOf(exchange) ?? jobResultOf(exchange) ?? (routing ? 'none' : undefined)
  const pool =
    model && dialect ? snapshot.pool(model.name, dialect, operation?.capability ?? '').length : 0
  return {
    'dragoman.model.requested': textOf(model?.requested, exchange),
    'dragoman.model.resolved': textOf(model?.name, exchange),
    'dragoman.pool': textOf(model?.name, exchange),
    'dragoman.account.id': first?.candidate.account.id,
    'dragoman.route.candidates': pool,
    'dragoman.binding.result': binding,
    ...(routing && reasonAttributes(routing.decidedBy, pool, exchange)),
  }
}

function textOf(text: string | undefined, exchange: Ended): string | undefined {
  return text ? spanText(text, exchange) : undefined
}

/** The rules of the gateway by their words, which dashboards group by. */
const reasons: Readonly<Record<string, string>> = {
  bindings: 'binding',
  jobs: 'binding',
  'affinity: prompt_cache_key': 'affinity.prompt_cache_key',
  'affinity: item id': 'affinity.item',
  'affinity: session': 'affinity.session',
}

/** A plugin names its own rule. */
function reasonAttributes(rule: string, pool: number, exchange: Ended): Attributes {
  const reason = rule === noRule ? (pool > 1 ? 'weighted' : 'only_candidate') : reasons[rule]
  if (reason !== undefined) return { 'dragoman.route.reason': reason }
  return { 'dragoman.route.reason': 'other', 'dragoman.route.rule': spanText(rule, exchange) }
}
