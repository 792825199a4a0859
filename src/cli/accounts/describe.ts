import type { AccountSetting } from '../../contract/account.ts'
import type { AccountState } from '../../stores/account-states.ts'
import { alignColumns } from '../table.ts'

/** An account as operators switch it: whether calls go to it, and why not. */
export interface AccountDescription {
  id: string
  provider: string
  state: 'enabled' | 'disabled'
  /** Who disables it. */
  by?: Array<'configuration' | 'store'>
  /** When it was last switched, in ISO 8601. */
  switched?: string
}

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
