import type { Account } from '../contract/account.ts'
import type { AccountExclusion } from '../contract/call.ts'
import type { GatewayPlugin } from '../contract/plugin.ts'
import type { Work } from '../lib/turns.ts'

/** All that keeps calls from some accounts now, by account id. A plugin that throws knows nothing. */
export function exclusionsAmong(
  plugins: readonly GatewayPlugin[],
  accounts: readonly Account[],
  onError: (plugin: GatewayPlugin, error: unknown) => void = () => {},
): Map<string, AccountExclusion[]> {
  const all = plugins.flatMap((plugin) => {
    try {
      return [...(plugin.exclusions?.(accounts) ?? [])].map((one) => ({ id: one.account, one }))
    } catch (error) {
      onError(plugin, error)
      return []
    }
  })
  const known = new Map<string, AccountExclusion[]>()
  for (const { id, one } of all) known.set(id, [...(known.get(id) ?? []), one])
  return known
}

/** Accounts of one step. Each may have some thousand exclusions. */
const batchSize = 8

/** Calls `note` with each account and all that keeps calls from it now, some accounts at a step. */
export function* eachExclusions(
  plugins: readonly GatewayPlugin[],
  accounts: readonly Account[],
  note: (account: Account, exclusions: readonly AccountExclusion[]) => void,
): Work<void> {
  for (let first = 0; first < accounts.length; first += batchSize) {
    const some = accounts.slice(first, first + batchSize)
    const exclusions = exclusionsAmong(plugins, some)
    for (const account of some) note(account, exclusions.get(account.id) ?? [])
    yield
  }
}
