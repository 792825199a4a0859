import type { Attributes } from '@opentelemetry/api'

import { slotRule } from '../../accounts/slots.ts'
import type { Exclusion } from '../../contract/call.ts'
import type { Ended } from '../../contract/exchange.ts'
import { unfitModelRule } from '../../kit/account-path.ts'
import { exclusionsOf } from '../../route/exclusions.ts'
import { noRule } from '../../route/route.ts'
import { ruleOf } from '../../route/strategies.ts'
import { bindingResultOf, jobResultOf } from '../metrics/events.ts'
import type { EndedSpan } from './maker.ts'
import { spanText } from './names.ts'

/** The attributes of the choice of an account. */
export function routeAttributes(exchange: Ended): Attributes {
  const { model, snapshot, dialect, operation, call, progress } = exchange
  const { routing, attempt, former } = progress
  // A later attempt is a failover: the span of the call has an event for it.
  const first = former[0] ?? attempt
  // The call failed before a look-up could be made.
  const binding =
    bindingResultOf(exchange) ?? jobResultOf(exchange) ?? (routing ? 'none' : undefined)
  const candidates = () =>
    model && dialect ? snapshot.pool(model.name, dialect, operation?.capability ?? '').length : 0
  const pool = call?.among?.length ?? candidates()
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
const routeReasons: Readonly<Record<string, string>> = {
  bindings: 'binding',
  jobs: 'binding',
  'affinity: prompt_cache_key': 'affinity.prompt_cache_key',
  'affinity: item id': 'affinity.item',
  'affinity: session': 'affinity.session',
}

/** The rules that decide among several accounts only. */
const choices: Readonly<Record<string, string>> = {
  [noRule]: 'weighted',
  [ruleOf('least-busy')]: 'least_busy',
  [ruleOf('latency')]: 'latency',
  [ruleOf('cost')]: 'cost',
}

/** A plugin names its own rule. */
function reasonAttributes(rule: string, pool: number, exchange: Ended): Attributes {
  const choice = choices[rule]
  const reason = choice && pool < 2 ? 'only_candidate' : (choice ?? routeReasons[rule])
  if (reason !== undefined) return { 'dragoman.route.reason': reason }
  return { 'dragoman.route.reason': 'other', 'dragoman.route.rule': spanText(rule, exchange) }
}

/** Why an account could not serve a call: a closed list, which dashboards can group by. */
type ExclusionReason =
  | 'busy'
  | 'circuit_open'
  | 'disabled'
  | 'not_in_pool'
  | 'other'
  | 'protocol'
  | 'rate_limited'
  | 'refused'

/** The reasons of the rules that have one reason only. */
const reasons: Readonly<Record<string, ExclusionReason>> = {
  operator: 'disabled',
  [slotRule]: 'busy',
  translation: 'protocol',
  [unfitModelRule]: 'protocol',
}

/** The rules that keep a call at the account that owns a response or job. */
const pinningRules: ReadonlySet<string> = new Set(['bindings', 'jobs'])

const reasonsOfKinds = {
  circuit: 'circuit_open',
  cooling: 'rate_limited',
  refused: 'refused',
} as const

/** A pool may have any number of accounts, and a span has at most 128 events. */
const mostExcluded = 50

/** The events of the accounts that could not serve a call. `at`: when the choice ended. */
export function exclusionEvents(exchange: Ended, at: number): NonNullable<EndedSpan['events']> {
  return Array.from(exclusionsOf(exchange, mostExcluded), (exclusion) => {
    const { account, by, reason } = exclusion
    const attributes = {
      'dragoman.account.id': account,
      'dragoman.exclusion.by': by,
      'dragoman.exclusion.reason': reasonOf(exclusion),
      // The words of the gateway itself need no cleaning, and there may be many of them.
      'dragoman.exclusion.message': by === 'operator' ? reason : spanText(reason, exchange),
    }
    return { name: 'dragoman.account.excluded', attributes, at }
  })
}

/** The events of the models that a call has left for a fallback. `at`: when the choice ended. */
export function fallbackEvents({ progress }: Ended, at: number): NonNullable<EndedSpan['events']> {
  return progress.left.map(({ model, next, on, error }) => ({
    name: 'dragoman.fallback',
    attributes: {
      'dragoman.pool': model,
      'dragoman.fallback.model': next,
      'dragoman.fallback.on': on,
      'dragoman.error.code': error,
    },
    at,
  }))
}

/** Plugins name their own rules. */
function reasonOf({ by, field, kind }: Exclusion): ExclusionReason {
  if (kind !== undefined && kind !== 'other') return reasonsOfKinds[kind]
  if (Object.hasOwn(reasons, by)) return reasons[by]!
  if (pinningRules.has(by)) return 'not_in_pool'
  return field === undefined ? 'other' : 'protocol'
}
