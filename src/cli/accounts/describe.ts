import type { AccountSetting } from '../../contract/account.ts'
import type { AccountState } from '../../stores/account-states.ts'
import { alignColumns } from '../table.ts'

/** Whether an account is enabled, and what disables it. */
interface AccountDescription {
  id: string
  provider: string
  /** `invalid`: its record in the store is damaged. */
  state: 'enabled' | 'disabled' | 'invalid'
  /** The sources that disable the account. */
  by?: Array<'configuration' | 'store'>
  /** Absent: the configuration. */
  from?: 'store'
  /** When a command last enabled or disabled the account, in ISO 8601. */
  switched?: string
}

/** An account of the configuration, or of the store. */
export interface KnownAccount extends Pick<AccountSetting, 'id' | 'provider' | 'enabled'> {
  readonly from?: 'store'
  /** Its record is damaged. */
  readonly isInvalid?: boolean
}

/** Combines an account with its state in the store. */
export function describeAccount(
  { id, provider, enabled, from, isInvalid = false }: KnownAccount,
  stored: AccountState | undefined,
): AccountDescription {
  const by = new Set<'configuration' | 'store'>()
  if (!enabled) by.add(from ?? 'configuration')
  if (stored && !stored.enabled) by.add('store')
  return {
    id,
    provider,
    state: isInvalid ? 'invalid' : by.size > 0 ? 'disabled' : 'enabled',
    ...(by.size > 0 && { by: [...by] }),
    ...(from && { from }),
    ...(stored && { switched: new Date(stored.changedAt).toISOString() }),
  }
}

/** Formats accounts as the lines of a table. It says where they come from if some are the store's. */
export function accountTable(accounts: readonly AccountDescription[]): string[] {
  const hasStored = accounts.some(({ from }) => from)
  const from = (text: string) => (hasStored ? [text] : [])
  const rows = accounts.map((one) => [
    one.id,
    one.provider,
    one.state,
    ...from(one.from ?? 'configuration'),
    one.by?.join(',') ?? '',
    one.switched ?? '',
  ])
  const titles = ['ID', 'PROVIDER', 'STATE', ...from('FROM'), 'DISABLED BY', 'SWITCHED']
  return alignColumns([titles, ...rows])
}
