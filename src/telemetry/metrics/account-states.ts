import { availabilityOf, isBusy, isHalfOpen } from '../../accounts/availability.ts'
import { eachExclusions } from '../../accounts/exclusions.ts'
import type { Account, ModelMap } from '../../contract/account.ts'
import type { AccountExclusion } from '../../contract/call.ts'
import type { GatewayPlugin } from '../../contract/plugin.ts'
import type { Work } from '../../lib/turns.ts'

/** Why an account, or one of its dialects, gets no calls. `busy`: at its limit, until a call ends. */
type ExclusionReason = AccountExclusion['kind'] | 'disabled' | 'busy'

/** The state of an account, as metrics show it. */
export interface AccountState {
  readonly id: string
  /** Whether it gets calls at all. One that is busy does. */
  readonly isAvailable: boolean
  /** The most calls at once in this process. Absent: any number. */
  readonly maxConcurrent: number | undefined
  /** 0 closed, 1 half-open, 2 open. */
  readonly circuit: number
  /** Each once. */
  readonly reasons: readonly ExclusionReason[]
  /** The models that it gets no calls of, in a dialect or at all, by its own names, and why. */
  readonly modelsOut: ReadonlyMap<string, ExclusionReason>
  /** The models that it gets no calls of in any dialect. */
  readonly lostModels: Pick<ReadonlySet<string>, 'has' | 'size'>
  readonly models: ModelMap
}

/** The state of each account, in their order. */
export function* accountStates(
  plugins: readonly GatewayPlugin[],
  accounts: readonly Account[],
): Work<AccountState[]> {
  const states: AccountState[] = []
  yield* eachExclusions(plugins, accounts, (account, exclusions) =>
    states.push(stateOf(account, exclusions)),
  )
  return states
}

function stateOf(account: Account, own: readonly AccountExclusion[]): AccountState {
  const { id, enabled, maxConcurrent, models } = account
  const concerning = own.filter((one) => one.keyId === undefined && !isHalfOpen(one))
  const reasons = new Set(concerning.filter(({ model }) => model === undefined).map(reasonOf))
  const ofModels = Map.groupBy(concerning, ({ model }) => model)
  ofModels.delete(undefined)
  const { closedBy, lostModels } = availabilityOf(account, own)
  return {
    id,
    models,
    circuit: own.reduce((worst, one) => Math.max(worst, circuitOf(one)), 0),
    maxConcurrent,
    isAvailable: enabled && closedBy.length === 0,
    reasons: enabled ? [...reasons] : ['disabled', ...reasons],
    modelsOut: new Map([...ofModels].map(([model, causes]) => [model!, causes.at(-1)!.kind])),
    lostModels,
  }
}

function circuitOf({ kind, isProbing }: AccountExclusion): number {
  if (kind !== 'circuit') return 0
  return isProbing ? 1 : 2
}

function reasonOf(one: AccountExclusion): ExclusionReason {
  return isBusy(one) ? 'busy' : one.kind
}
