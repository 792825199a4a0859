import { availabilityOf, isBusy, isClosed, isHalfOpen } from '../../accounts/availability.ts'
import type { Account } from '../../contract/account.ts'
import type { AccountExclusion } from '../../contract/call.ts'

/** All states of accounts. */
export const accountStates = [
  'ENABLED',
  'DISABLED',
  'INVALID',
  'REFUSED',
  'COOLING',
  'CIRCUIT_OPEN',
  'CIRCUIT_HALF_OPEN',
  'EXCLUDED',
  'FULL',
] as const

/** See `accountStates`. */
type StateName = (typeof accountStates)[number]

/** Which of its calls an account serves, the worst last. */
export const servings = ['ALL', 'SOME', 'NOTHING'] as const

/** Whether calls reach an account, and what keeps them from it. */
export interface AccountState {
  /** What concerns the whole account. */
  readonly state: StateName
  readonly serves: (typeof servings)[number]
  /** Why it does not serve all. */
  readonly reason?: string
  /** When that ends or is tried again, in milliseconds since 1970. */
  readonly until?: number
}

/** Sorts exclusions, the most severe first: a list that is too long loses the least severe ones. */
export function bySeverity<One extends AccountExclusion>(exclusions: readonly One[]): One[] {
  return exclusions.toSorted((one, other) => severity(other) - severity(one))
}

/** The state of an enabled account in one process, by its exclusions there in the order of severity. */
export function stateOf(
  account: Pick<Account, 'speaks' | 'textDialects' | 'models'>,
  exclusions: readonly AccountExclusion[],
): AccountState {
  if (exclusions.length === 0) return servesAll
  const { speaks, models } = account
  const { closedBy, lostModels } = availabilityOf(account, exclusions)
  const [closing] = closedBy
  if (closing) return { state: nameOf(closing), serves: 'NOTHING', ...causeOf(closing) }
  const [lost] = lostCauses(models, lostModels)
  if (lost) return { state: nameOf(lost), serves: 'NOTHING', ...causeOf(lost) }
  const busy = exclusions.find(isBusy)
  const [worst] = exclusions.filter((one) => one !== busy)
  const probing = exclusions.filter((one) => isOfWhole(one) && !isBusy(one))
  const isProbed = probing.some(isHalfOpen) && isClosed(speaks, probing)
  const state = isProbed ? 'CIRCUIT_HALF_OPEN' : busy ? 'FULL' : 'ENABLED'
  return worst
    ? { state, serves: 'SOME', ...causeOf(worst) }
    : { state, serves: 'ALL', ...(busy && causeOf(busy)) }
}

/** The worse of two states of an account, such as those in two processes. */
export function worseOf(one: AccountState, other: AccountState): AccountState {
  const isWorse =
    servings.indexOf(other.serves) - servings.indexOf(one.serves) ||
    gravityOf(other.state) - gravityOf(one.state)
  return isWorse > 0 ? other : one
}

export const servesAll: AccountState = { state: 'ENABLED', serves: 'ALL' }

/** What keeps out all models of an account, the most severe first. Empty: it has others, or endless names of them. */
function lostCauses(
  { names, patterns = names, upstreamName }: Account['models'],
  lost: ReadonlyMap<string, readonly AccountExclusion[]>,
): readonly AccountExclusion[] {
  if (lost.size === 0 || patterns.length > names.length) return []
  const own = names.map((name) => upstreamName(name) ?? name)
  return own.every((name) => lost.has(name)) ? bySeverity([...lost.values()].flat()) : []
}

function isOfWhole({ model, keyId }: AccountExclusion): boolean {
  return model === undefined && keyId === undefined
}

function causeOf({ model, keyId, dialect, reason, untilMs }: AccountExclusion) {
  const part = [
    ...(dialect === undefined ? [] : [`dialect ${dialect}`]),
    ...(model === undefined ? [] : [`model ${model}`]),
    ...(keyId === undefined ? [] : [`key ${keyId}`]),
  ]
  return {
    reason: part.length === 0 ? reason : `${part.join(', ')}: ${reason}`,
    ...(untilMs !== undefined && { until: untilMs }),
  }
}

function nameOf(one: AccountExclusion): (typeof byGravity)[number] {
  if (one.kind === 'circuit') return one.isProbing ? 'CIRCUIT_HALF_OPEN' : 'CIRCUIT_OPEN'
  if (one.kind === 'refused') return 'REFUSED'
  if (one.kind === 'cooling') return 'COOLING'
  return isBusy(one) ? 'FULL' : 'EXCLUDED'
}

/** The states of enabled accounts, the gravest last. */
const byGravity = [
  'FULL',
  'CIRCUIT_HALF_OPEN',
  'EXCLUDED',
  'COOLING',
  'CIRCUIT_OPEN',
  'REFUSED',
] as const

function gravityOf(state: StateName): number {
  return (byGravity as readonly string[]).indexOf(state)
}

/** Severity: all calls, then one key, then one model, because callers name any number of models. */
function severity(exclusion: AccountExclusion): number {
  const { model, keyId } = exclusion
  const scope = (model === undefined ? 2 : 0) + (keyId === undefined ? 1 : 0)
  return scope * byGravity.length + gravityOf(nameOf(exclusion))
}
