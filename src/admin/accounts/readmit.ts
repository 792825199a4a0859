import type { GatewayPlugin, ReadmissionChoice } from '../../contract/plugin.ts'
import type { LiveAccounts } from '../../accounts/live.ts'
import { type Log, describeError } from '../../lib/log.ts'

/** Ends exclusions of an account. It is JSON, so that it can go to other processes. */
export type ReadmitCommand = { readonly accountId: string } & ReadmissionChoice

/** The parts of a gateway that know what excludes accounts. */
interface Readmitting {
  readonly accounts: Pick<LiveAccounts, 'snapshot'>
  readonly plugins: readonly GatewayPlugin[]
}

/**
 * Ends exclusions of an account in this process. Returns how many; 0 for an unknown account. A plugin that
 * throws is logged.
 */
export function readmitHere(
  { accounts, plugins }: Readmitting,
  { accountId, ...choice }: ReadmitCommand,
  log: Log,
): number {
  const account = accounts.snapshot.accounts.find(({ id }) => id === accountId)
  if (!account) return 0
  return plugins.reduce((ended, plugin) => {
    try {
      return ended + (plugin.readmit?.(account, choice) ?? 0)
    } catch (error) {
      const about = { plugin: plugin.name, account: accountId }
      log.error('a plugin cannot readmit an account', { ...about, ...describeError(error) })
      return ended
    }
  }, 0)
}
