import type { Account } from '../../contract/account.ts'
import type { AccountExclusion } from '../../contract/call.ts'
import type { GatewayPlugin } from '../../contract/plugin.ts'
import type { Monitor } from './monitor.ts'
import { type ProcessAccount, bounded, mostAccounts, mostExclusions } from './record.ts'

/** Accounts of a heartbeat, and how many it leaves out. */
interface AccountsPart {
  readonly accounts: ProcessAccount[]
  readonly moreAccounts: number
}

/** What excludes accounts now, by their ids. A plugin that throws knows nothing. */
export function exclusionsOf(
  plugins: readonly GatewayPlugin[],
  accounts: readonly Account[],
): Map<string, AccountExclusion[]> {
  const found = new Map<string, AccountExclusion[]>()
  for (const plugin of plugins) {
    for (const exclusion of ask(plugin, accounts)) {
      const known = found.get(exclusion.account)
      if (!known) found.set(exclusion.account, [shortened(exclusion)])
      else if (known.length < mostExclusions) known.push(shortened(exclusion))
    }
  }
  return found
}

function ask(plugin: GatewayPlugin, accounts: readonly Account[]): readonly AccountExclusion[] {
  try {
    return plugin.exclusions?.(accounts) ?? []
  } catch {
    return []
  }
}

function shortened(exclusion: AccountExclusion): AccountExclusion {
  const { account, by, reason, model, dialect, keyId } = exclusion
  return {
    ...exclusion,
    account: bounded(account),
    by: bounded(by),
    reason: bounded(reason),
    ...(model !== undefined && { model: bounded(model) }),
    ...(dialect !== undefined && { dialect: bounded(dialect) }),
    ...(keyId !== undefined && { keyId: bounded(keyId) }),
  }
}

/** The accounts that a heartbeat shows: those in trouble, then those in flight, then the most called. */
export function describeAccounts(
  monitor: Pick<Monitor, 'inFlight' | 'accounts'>,
  exclusions: ReadonlyMap<string, readonly AccountExclusion[]>,
): AccountsPart {
  const inFlight = countByAccount(monitor)
  const troubled = [...exclusions.keys()]
  const busy = [...inFlight.keys()].filter((id) => !exclusions.has(id))
  const used = [...monitor.accounts.keys()].filter((id) => !exclusions.has(id) && !inFlight.has(id))
  const calls = (id: string) => monitor.accounts.get(id)?.calls ?? 0
  const ids = [...troubled, ...busy]
  if (ids.length < mostAccounts) ids.push(...used.toSorted((a, b) => calls(b) - calls(a)))
  return {
    accounts: ids.slice(0, mostAccounts).map((id) => ({
      id: bounded(id),
      inFlight: inFlight.get(id) ?? 0,
      calls: calls(id),
      failures: monitor.accounts.get(id)?.failures ?? 0,
      exclusions: (exclusions.get(id) ?? []).map((one) => ({ ...one })),
    })),
    moreAccounts: Math.max(0, ids.length - mostAccounts),
  }
}

function countByAccount({ inFlight }: Pick<Monitor, 'inFlight'>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { progress } of inFlight) {
    const id = progress.attempt?.candidate.account.id
    if (id !== undefined) counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  return counts
}
