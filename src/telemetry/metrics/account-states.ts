import { eachExclusions } from '../../accounts/exclusions.ts'
import { slotRule } from '../../accounts/slots.ts'
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
  readonly lostModels: ReadonlySet<string>
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

function stateOf(
  { id, enabled, speaks, maxConcurrent, models }: Account,
  own: readonly AccountExclusion[],
): AccountState {
  const concerning = own.filter((one) => one.keyId === undefined && circuitOf(one) !== 1)
  const whole = concerning.filter(({ model }) => model === undefined)
  const reasons = new Set(whole.map(reasonOf))
  const ofModels = Map.groupBy(concerning, ({ model }) => model)
  ofModels.delete(undefined)
  const lost = [...ofModels].filter(([, causes]) => isExcluded(causes, speaks))
  return {
    id,
    models,
    circuit: own.reduce((worst, one) => Math.max(worst, circuitOf(one)), 0),
    maxConcurrent,
    isAvailable:
      enabled &&
      !isExcluded(
        whole.filter((one) => reasonOf(one) !== 'busy'),
        speaks,
      ),
    reasons: enabled ? [...reasons] : ['disabled', ...reasons],
    modelsOut: new Map([...ofModels].map(([model, causes]) => [model!, causes.at(-1)!.kind])),
    lostModels: new Set(lost.map(([model]) => model!)),
  }
}

function circuitOf({ kind, isProbing }: AccountExclusion): number {
  if (kind !== 'circuit') return 0
  return isProbing ? 1 : 2
}

function reasonOf({ kind, by }: AccountExclusion): ExclusionReason {
  return by === slotRule ? 'busy' : kind
}

/** Whether an account or a model gets no call at all, in any of the account's dialects. */
function isExcluded(whole: readonly AccountExclusion[], speaks: readonly string[]): boolean {
  if (whole.some(({ dialect }) => dialect === undefined)) return true
  return speaks.every((id) => whole.some(({ dialect }) => dialect === id))
}
