import type { AccountExclusion } from '../../contract/call.ts'

/** All states of accounts. */
export const accountStateNames = [
  'enabled',
  'disabled',
  'invalid',
  'refused',
  'cooling',
  'circuit-open',
  'circuit-half-open',
  'excluded',
] as const

/** Whether calls reach an account, and what keeps them from it. */
export interface AccountState {
  readonly state: (typeof accountStateNames)[number]
  readonly reason?: string
  /** When it ends or is tried again, in milliseconds since 1970. */
  readonly until?: number
}

/** Sorts exclusions, the most severe first: a list that is too long loses the least severe ones. */
export function bySeverity<One extends AccountExclusion>(exclusions: readonly One[]): One[] {
  return exclusions.toSorted((one, other) => severity(other) - severity(one))
}

/** The state of an enabled account: its most severe exclusion decides. */
export function stateOf(exclusions: readonly AccountExclusion[]): AccountState {
  // Of equal ones the first.
  const [mostSevere] = bySeverity(exclusions)
  if (!mostSevere) return { state: 'enabled' }
  const { model, keyId, dialect, reason, untilMs } = mostSevere
  const part = [
    ...(dialect === undefined ? [] : [`dialect ${dialect}`]),
    ...(model === undefined ? [] : [`model ${model}`]),
    ...(keyId === undefined ? [] : [`key ${keyId}`]),
  ]
  return {
    state: nameOf(mostSevere),
    reason: part.length === 0 ? reason : `${part.join(', ')}: ${reason}`,
    ...(untilMs !== undefined && { until: untilMs }),
  }
}

function nameOf({ kind, isProbing }: AccountExclusion): keyof typeof gravities {
  if (kind === 'circuit') return isProbing ? 'circuit-half-open' : 'circuit-open'
  return kind === 'other' ? 'excluded' : kind
}

const gravities = {
  'circuit-half-open': 0,
  excluded: 1,
  cooling: 2,
  'circuit-open': 3,
  refused: 4,
} as const

const mostOfKinds = 5

/** Severity: all calls, then one key, then one model, because callers name any number of models. */
function severity(exclusion: AccountExclusion): number {
  const { model, keyId } = exclusion
  const scope = (model === undefined ? 2 : 0) + (keyId === undefined ? 1 : 0)
  return scope * mostOfKinds + gravities[nameOf(exclusion)]
}
