import type { AccountSetting } from '../../contract/account.ts'
import type { AccountState } from '../../stores/account-states.ts'
import { alignColumns } from '../table.ts'

/** Whether an account is enabled, and what disables it. */
interface AccountDescription {
  id: string
  provider: string
  state: 'enabled' | 'disabled'
  /** The sources that disable the account. */
  by?: Array<'configuration' | 'store'>
  /** When a command last enabled or disabled the account, in ISO 8601. */
  switched?: string
}

/** Combines the configuration of an account with its state in the store. */
export function describeAccount(
  { id, provider, enabled }: AccountSetting,
  stored: AccountState | undefined,
): AccountDescription {
  const by: NonNullable<AccountDescription['by']> = []
  if (!enabled) by.push('configuration')
  if (stored && !stored.enabled) by.push('store')
  return {
    id,
    provider,
    state: by.length > 0 ? 'disabled' : 'enabled',
    ...(by.length > 0 && { by }),
    ...(stored && { switched: new Date(stored.changedAt).toISOString() }),
  }
}

/** Formats accounts as the lines of a table. */
export function accountTable(accounts: readonly AccountDescription[]): string[] {
  const rows = accounts.map(({ id, provider, state, by = [], switched = '' }) => [
    id,
    provider,
    state,
    by.join(','),
    switched,
  ])
  return alignColumns([['ID', 'PROVIDER', 'STATE', 'DISABLED BY', 'SWITCHED'], ...rows])
}
