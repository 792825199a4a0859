import { compilePatterns } from '../../accounts/patterns.ts'
import type { Account } from '../../contract/account.ts'
import type { Work } from '../../lib/turns.ts'
import type { AccountState } from './account-states.ts'

/** An account that has a model, with its own name of it. */
interface Holder {
  readonly accountId: string
  readonly upstreamName: string
}

/** The holders of each name and pattern, by the accounts of a configuration: thousands of accounts have many. */
const indexes = new WeakMap<readonly Account[], ReadonlyMap<string, readonly Holder[]>>()

/**
 * Whether the calls of a model get to an account, by the names and patterns of the enabled accounts. `states`:
 * the states of the accounts. An account with a pattern serves the names that match it, too.
 */
export function* modelAvailability(
  accounts: readonly Account[],
  states: readonly AccountState[],
): Work<Map<string, boolean>> {
  let index = indexes.get(accounts)
  if (!index) indexes.set(accounts, (index = yield* indexOf(accounts)))
  yield
  const byId = new Map(states.map((state) => [state.id, state]))
  const isOpen = ({ accountId, upstreamName }: Holder) => {
    const state = byId.get(accountId)
    return state !== undefined && state.isAvailable && !state.lostModels.has(upstreamName)
  }
  const available = new Map<string, boolean>()
  const open: string[] = []
  for (const [name, holders] of index) {
    const isAvailable = holders.some(isOpen)
    available.set(name, isAvailable)
    if (isAvailable && isPattern(name)) open.push(name)
    yield
  }
  const matches = compilePatterns(open)
  for (const [name, isAvailable] of available) {
    if (!isAvailable && !isPattern(name) && matches(name) && hasOpen(name))
      available.set(name, true)
    yield
  }
  return available

  /** An account may take no calls of one of the names that its pattern has. */
  function hasOpen(name: string): boolean {
    return open.some((pattern) =>
      index!.get(pattern)!.some(({ accountId }) => {
        const state = byId.get(accountId)
        const upstreamName = state?.models.upstreamName(name)
        return upstreamName !== undefined && isOpen({ accountId, upstreamName })
      }),
    )
  }
}

function isPattern(name: string): boolean {
  return name.includes('*')
}

function* indexOf(accounts: readonly Account[]): Work<Map<string, Holder[]>> {
  const index = new Map<string, Holder[]>()
  for (const { id: accountId, enabled, models } of accounts) {
    if (!enabled) continue
    for (const name of models.patterns ?? models.names) {
      const holder = { accountId, upstreamName: models.upstreamName(name) ?? name }
      const known = index.get(name)
      if (known) known.push(holder)
      else index.set(name, [holder])
    }
    yield
  }
  return index
}
