import type { Account } from '../contract/account.ts'
import type { AccountExclusion } from '../contract/call.ts'
import { slotRule } from './slots.ts'

/** The calls that an account gets. Metrics and the admin API agree, because both ask here. */
export interface Availability {
  /** What keeps all calls from it. Empty: it gets calls. One that is busy does. */
  readonly closedBy: readonly AccountExclusion[]
  /**
   * The models of which it gets no calls for texts in any dialect, by its own names, and what keeps them from it. That it
   * might still take a batch of the model, or embed by it, does not serve the calls that fail.
   */
  readonly lostModels: ReadonlyMap<string, readonly AccountExclusion[]>
}

/** Which calls an enabled account gets while these exclusions last. */
export function availabilityOf(
  { speaks, textDialects }: Pick<Account, 'speaks' | 'textDialects'>,
  exclusions: readonly AccountExclusion[],
): Availability {
  const concerning = exclusions.filter(keepsOutAll)
  if (concerning.length === 0) return open
  const byModel = Map.groupBy(concerning, ({ model }) => model)
  const whole = byModel.get(undefined) ?? []
  byModel.delete(undefined)
  const lost = [...byModel].filter(([, causes]) => isClosed(textDialects, [...whole, ...causes]))
  return {
    closedBy: isClosed(speaks, whole) ? whole : [],
    lostModels: new Map(lost.map(([model, causes]) => [model!, causes])),
  }
}

const open: Availability = { closedBy: [], lostModels: new Map() }

/** Whether an exclusion keeps out each call that it concerns, of whichever key. */
function keepsOutAll(one: AccountExclusion): boolean {
  return one.keyId === undefined && !one.isPartial && !isHalfOpen(one) && !isBusy(one)
}

/** Whether an account is at its limit of calls at once, until one of them ends. */
export function isBusy({ by }: Pick<AccountExclusion, 'by'>): boolean {
  return by === slotRule
}

/** Whether a circuit lets one call at a time pass. */
export function isHalfOpen({ kind, isProbing }: AccountExclusion): boolean {
  return kind === 'circuit' && isProbing === true
}

/** Whether exclusions leave no dialect of an account. */
export function isClosed(
  speaks: readonly string[],
  exclusions: readonly AccountExclusion[],
): boolean {
  if (exclusions.some(({ dialect }) => dialect === undefined)) return true
  return speaks.every((id) => exclusions.some(({ dialect }) => dialect === id))
}

/** The most client names that are listed for a model of an account. */
const mostNames = 20

/** The names by which clients get a model of an account, by the account's own name; at most 20. */
export function clientNamesOf({ models }: Pick<Account, 'models'>, ownName: string): string[] {
  const named = models.names.filter((name) => models.upstreamName(name) === ownName)
  return [...new Set([...named, ...(models.platformNames?.(ownName) ?? [])])].slice(0, mostNames)
}
