import type { Span } from '@opentelemetry/api'

import { slotRule } from '../../accounts/slots.ts'
import type { Exclusion } from '../../contract/call.ts'
import type { Ended } from '../../contract/exchange.ts'
import { unfitModelRule } from '../../kit/account-path.ts'
import { spanText } from './names.ts'

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
  'circuit-breaker': 'circuit_open',
  [slotRule]: 'busy',
  translation: 'protocol',
  [unfitModelRule]: 'protocol',
}

/** The rules that keep a call at the account of what it names. */
const pinningRules: ReadonlySet<string> = new Set(['bindings', 'jobs'])

/** The statuses by which an account asks for a pause; a pause that it asks for otherwise has none. */
const pauses: ReadonlySet<number | undefined> = new Set([undefined, 429, 503, 529])

/** Adds the event of an account that could not serve a call. */
export function addExclusion(
  span: Span,
  exclusion: Exclusion,
  exchange: Ended,
  time: number,
): void {
  const { account, by, reason } = exclusion
  const attributes = {
    'dragoman.account.id': account,
    'dragoman.exclusion.by': by,
    'dragoman.exclusion.reason': reasonOf(exclusion),
    // The words of the gateway itself need no cleaning, and there may be many of them.
    'dragoman.exclusion.message': by === 'operator' ? reason : spanText(reason, exchange),
  }
  span.addEvent('dragoman.account.excluded', attributes, time)
}

/** Plugins name their own rules. */
function reasonOf({ by, field, status }: Exclusion): ExclusionReason {
  if (Object.hasOwn(reasons, by)) return reasons[by]!
  if (pinningRules.has(by)) return 'not_in_pool'
  if (field !== undefined) return 'protocol'
  if (by !== 'account-health') return 'other'
  return pauses.has(status) ? 'rate_limited' : 'refused'
}
